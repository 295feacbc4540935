import pg from "pg";
import { lockStatement, locks } from "@/server/db/locks";
import { serverOptions } from "@/server/db/server-options";

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Runs `work` while no other process of this database server does: several may start at once. Never on the embedded database, where
 * an open transaction keeps every other connection waiting, and one process is alone anyway.
 */
export async function underStartupLock<T>(connectionString: string, work: () => Promise<T>): Promise<T> {
  const options = serverOptions(connectionString);
  const client = new pg.Client({ connectionString, options, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => {}); // a lost connection fails the query that runs
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query(lockStatement(locks.startup));
    return await work();
  } finally {
    await client.end();
  }
}
