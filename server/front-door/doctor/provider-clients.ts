import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Quota } from "@/server/domain/provider-quotas";
import { type Env, env } from "@/server/env";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import type { OAuthClient } from "@/server/providers/connector";
import { tryClient } from "@/server/providers/try-client";
import { clientOf } from "@/server/store/applications/oauth-clients";
import { type ClientInUse, selectClientsInUse } from "@/server/store/applications/oauth-clients.sql";

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

/**
 * Checks the OAuth clients of applications: those by which users sign in, and replaced ones that calendars are still
 * read by. One line for those that their providers know, and one for each other. None: no application has a client.
 */
export async function ownClients(query: Query): Promise<Finding[]> {
  const findings = await Promise.all((await run(query, selectClientsInUse, [])).map(checkedOwn));
  const faults = findings.filter((finding) => finding !== null);
  const known = findings.length - faults.length;
  if (known === 0) return faults;
  const text =
    known === 1 ? "The provider knows the one of an application." : `Providers know ${known} of applications.`;
  return [ok(OWN_CLIENTS, text), ...faults];
}

const OWN_CLIENTS = "OAuth clients";

/** Asks a client's provider about it. Returns null if it knows the client. */
async function checkedOwn(client: ClientInUse): Promise<Finding | null> {
  const { name } = clients.find(({ provider }) => provider === client.provider) ?? { name: client.provider };
  const which = `${client.clientId} of ${client.applicationName}`;
  const again = "Create a new secret there, and set the client again on the application's page.";
  const opened = openedClient(client);
  if (opened === null) return fail(OWN_CLIENTS, `No key of ENCRYPTION_KEYS opens the secret of ${which}. ${again}`);
  const answer = await tryClient(client.provider, opened, env());
  switch (answer.kind) {
    case "known":
      return null;
    case "unreachable":
      return warn(OWN_CLIENTS, `${name} can't be reached to check ${which} (${answer.error}).`);
    case "unclear":
      return warn(
        OWN_CLIENTS,
        `${name}'s response doesn't say whether the secret of ${which} is right (${answer.said}).`,
      );
    case "refused":
      return fail(
        OWN_CLIENTS,
        `${name} refuses ${which} (${answer.said}), so no calendar that was connected by it is synced. ${again}`,
      );
  }
}

function openedClient(client: ClientInUse): OAuthClient | null {
  try {
    return clientOf(client);
  } catch {
    return null; // its key was lost
  }
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
