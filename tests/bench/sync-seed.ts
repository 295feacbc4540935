import { randomBytes } from "node:crypto";
import type { Database } from "@/server/db/client";
import { caldavConnector } from "@/server/providers/caldav/connector";
import { type ConnectedProfile, newApplication } from "@/tests/bench/sync-database";
import type { Login } from "@/tests/fakes/dav-server";

/** Returns what connects people's calendars to a new application, as the page does. Where they are may change each time. */
export async function newConnections(db: Database) {
  const connect = await newApplication(db);
  return async (entry: string, { user, password }: Login): Promise<ConnectedProfile> => {
    const connector = caldavConnector({ entry });
    const account = await connector.signIn.verify({ username: user, password });
    return await connect({ provider: "icloud", connector, account });
  };
}

/** A word that was never said before. */
export function newSummary(): string {
  return `Changed ${randomBytes(6).toString("hex")}`;
}
