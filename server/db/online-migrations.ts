import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { locks } from "@/server/db/locks";
import { type Migration, readMigrations } from "@/server/db/migration-files";
import { type MigrationConnection, migrationConnection, readRecords } from "@/server/db/migration-records";
import { pendingOnline } from "@/server/db/migration-steps";
import { tryLockSession } from "@/server/db/online-index.sql";
import { applyOnline } from "@/server/db/online-migration";
import { processName } from "@/server/db/process-name";
import { serverOptions } from "@/server/db/server-options";

const CONNECT_TIMEOUT_MS = 5_000;
const ASK_AGAIN_MS = 500;

export interface OnlineRun {
  /** Leaves what is in progress. PostgreSQL completes the statement that runs, and another process goes on after it. */
  signal: AbortSignal;
  onBegin(migration: string): void;
  onEnd(migration: string): void;
}

/** Runs the online migrations of `folder` that a database has yet to get, if no other process does. False: another one does. */
export async function runOnlineMigrations(
  connectionString: string,
  folder: string,
  { signal, onBegin, onEnd }: OnlineRun,
): Promise<boolean> {
  const client = new pg.Client({
    ...{ connectionString, options: serverOptions(connectionString), connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    fallback_application_name: processName(),
  });
  client.on("error", () => {}); // a lost connection fails the query that runs
  const leave = () => void client.end().catch(() => undefined);
  await client.connect();
  signal.addEventListener("abort", leave, { once: true });
  try {
    if (signal.aborted) return true;
    const connection = migrationConnection(client);
    const pending = () => incompleteOnline(connection, folder);
    if ((await pending()).length === 0) return true;
    if (!(await isLocked(connection))) return false;
    for (const migration of await pending()) {
      onBegin(migration.name);
      await applyOnline(connection, migration);
      onEnd(migration.name);
    }
    return true;
  } finally {
    signal.removeEventListener("abort", leave);
    await client.end();
  }
}

/** Lists the online migrations of `folder` that a database has yet to get. */
export async function incompleteOnline(
  connection: Pick<MigrationConnection, "rows">,
  folder: string,
): Promise<Migration[]> {
  return pendingOnline(await readMigrations(folder), await readRecords(connection));
}

/** Runs an online migration at a start, once no other process runs any: a later migration of this start needs it. */
export async function completeOnline(connection: MigrationConnection, migration: Migration): Promise<void> {
  while (!(await isLocked(connection))) await wait(ASK_AGAIN_MS);
  try {
    const records = await readRecords(connection);
    if (!records.some(({ name }) => name === migration.name)) await applyOnline(connection, migration);
  } finally {
    await connection.rows("SELECT pg_advisory_unlock_all()", []);
  }
}

async function isLocked(connection: MigrationConnection): Promise<boolean> {
  const [row] = await connection.rows(tryLockSession.text, [locks.onlineMigrations]);
  return row?.taken === true;
}
