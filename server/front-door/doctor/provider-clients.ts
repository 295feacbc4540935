import type { Quota } from "@/server/domain/provider-quotas";
import { type Env, env } from "@/server/env";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { tryClient } from "@/server/providers/try-client";

interface Client {
  provider: Quota;
  /** Of the variables. */
  prefix: "GOOGLE" | "MICROSOFT";
  name: string;
}

const clients: readonly Client[] = [
  { provider: "google", prefix: "GOOGLE", name: "Google" },
  { provider: "microsoft", prefix: "MICROSOFT", name: "Microsoft" },
];

/** Checks the credentials of this service at providers. */
export async function providerClients(): Promise<Finding[]> {
  return await Promise.all(clients.map((client) => checked(client, env())));
}

async function checked({ provider, prefix, name }: Client, env: Env): Promise<Finding> {
  const check = `${name} credentials`;
  const [clientId, clientSecret] = [env[`${prefix}_CLIENT_ID`], env[`${prefix}_CLIENT_SECRET`]];
  if (!clientId || !clientSecret) return ok(check, `Not set up: ${prefix}_CLIENT_ID is not set.`);
  const answer = await tryClient(provider, { clientId, clientSecret }, env);
  switch (answer.kind) {
    case "known":
      return ok(check, `${name} knows the client and its secret.`);
    case "unreachable":
      return fail(check, `${name} can't be reached (${answer.error}). Check that this machine may connect to it.`);
    case "unclear":
      return warn(
        check,
        `${name}'s response doesn't say whether the secret is right (${answer.said}). Try again later.`,
      );
    case "refused": {
      const advice = `Create a new secret there, set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET, and restart.`;
      return fail(
        check,
        `${name} refuses the client (${answer.said}), so nobody can connect and no calendar is synced. ${advice}`,
      );
    }
  }
}
