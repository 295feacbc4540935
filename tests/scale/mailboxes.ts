import type { Database } from "@/server/db/client";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { CalendarAccount, Connector, OAuthSignIn } from "@/server/providers/connector";
import { googleConnector } from "@/server/providers/google/connector";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { connectCalendars, signInByRedirect } from "@/tests/fakes/connection";
import type { SideProcess } from "@/tests/rig/side-process";

/** Providers that a fake or, by CalDAV, a server with iCloud's manners plays in a process of its own. */
export type Played = "google" | "microsoft" | "icloud";

/** A provider in another process, as the service and the connect page know it. */
export interface Provider {
  name: Played;
  env: Record<string, string>;
  /** Connects somebody's calendars to an application. */
  connect(db: Database, applicationId: string, email: string): Promise<void>;
}

interface OAuthAddress {
  origin: string;
  client: { id: string; secret: string; redirectUris: string[] };
}

interface Reached {
  env: Record<string, string>;
  connector: Pick<Connector, "open">;
  signIn(email: string): Promise<CalendarAccount>;
}

export async function providerIn(side: SideProcess, name: Played): Promise<Provider> {
  const { env, connector, signIn } = name === "icloud" ? await byPassword(side) : await byOAuth(side, name);
  return {
    ...{ name, env },
    connect: async (db, applicationId, email) => {
      const account = await signIn(email);
      await connectCalendars(db, { applicationId, provider: name, connector, account });
    },
  };
}

async function byOAuth(side: SideProcess, name: "google" | "microsoft"): Promise<Reached> {
  const { origin, client } = await side.ask<OAuthAddress>("address");
  const { id: clientId, secret: clientSecret } = client;
  const connector: Connector & { signIn: OAuthSignIn } =
    name === "google"
      ? googleConnector({ clientId, clientSecret, origin })
      : microsoftConnector({ clientId, clientSecret, provider: name, origin });
  const redirectUri = client.redirectUris[0] ?? "";
  const signIn = (email: string) => signInByRedirect(connector, redirectUri, email);
  const prefix = name.toUpperCase();
  const env = {
    [`${prefix}_CLIENT_ID`]: clientId,
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
    [`${prefix}_BASE_URL`]: origin,
  };
  return { env, connector, signIn };
}

async function byPassword(side: SideProcess): Promise<Reached> {
  const { origin: entry, password } = await side.ask<{ origin: string; password: string }>("address");
  const connector = caldavConnector({ entry });
  const signIn = (username: string) => connector.signIn.verify({ username, password });
  return { env: { ICLOUD_CALDAV_URL: entry }, connector, signIn };
}
