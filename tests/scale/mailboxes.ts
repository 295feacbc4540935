import type { Database } from "@/server/db/client";
import { newToken } from "@/server/db/new-id";
import { googleConnector } from "@/server/providers/google/connector";
import { signedInAccess } from "@/server/providers/signed-in-access";
import { connectCalendarAccount } from "@/server/services/connect/connect-account";
import type { SideProcess } from "@/tests/scale/side-process";

interface Address {
  origin: string;
  client: { id: string; secret: string; redirectUris: string[] };
}

/** Google in another process, as the service and the connect page know it. */
export interface Provider {
  env: Record<string, string>;
  /** Connects somebody's calendars to an application. */
  connect(db: Database, applicationId: string, email: string): Promise<void>;
}

export async function providerIn(google: SideProcess): Promise<Provider> {
  const { origin, client } = await google.ask<Address>("address");
  const connector = googleConnector({ clientId: client.id, clientSecret: client.secret, origin });
  const redirectUri = client.redirectUris[0] ?? "";
  return {
    env: { GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret, GOOGLE_BASE_URL: origin },
    connect: async (db, applicationId, email) => {
      const { url, secret } = connector.signIn.begin({ redirectUri, state: newToken() });
      const page = await fetch(`${url}&login_hint=${encodeURIComponent(email)}`, { redirect: "manual" });
      const { searchParams: query } = new URL(page.headers.get("location") ?? "");
      const account = await connector.signIn.finish({ redirectUri, query, secret });
      if ("problem" in account) throw new Error(account.problem);
      const { calendars } = await connector.open(signedInAccess(account)).calendars(null);
      const connected = await connectCalendarAccount(db, {
        ...{ applicationId, provider: "google", account, calendars, now: Date.now() },
        request: { redirectUri: "https://app.acme.io/callback", codeChallenge: null, linkToken: null },
      });
      if (connected.kind !== "connected") throw new Error("not connected");
    },
  };
}
