import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { locks } from "@/server/db/locks";
import { serverOptions } from "@/server/db/server-options";

const CONNECT_TIMEOUT_MS = 5_000;
const ASK_AGAIN_MS = 100;
const LOCK = `SELECT pg_try_advisory_xact_lock(${locks.startup}) AS taken`;

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
    // A statement that waits for a lock has a snapshot, and an index that is built concurrently waits for all snapshots.
    while (!(await client.query<{ taken: boolean }>(LOCK)).rows[0]?.taken) await wait(ASK_AGAIN_MS);
    return await work();
  } finally {
    await client.end();
  }
}
