import { provideEnv } from "@/server/env";
import { type Issuer, issuer } from "../../fakes/issuer";

/** An issuer that staff may sign in at, called Acme; `close` ends it, and single sign-on with it. */
export async function configuredIssuer(): Promise<Issuer> {
  const there = await issuer();
  const client = { OIDC_CLIENT_ID: there.clientId, OIDC_CLIENT_SECRET: there.clientSecret };
  provideEnv({ OIDC_ISSUER: there.url, OIDC_NAME: "Acme", ...client });
  const close = there.close.bind(there);
  return Object.assign(there, {
    close: async () => {
      provideEnv({ OIDC_ISSUER: "", OIDC_CLIENT_ID: "", OIDC_CLIENT_SECRET: "", OIDC_NAME: "" });
      await close();
    },
  });
}
