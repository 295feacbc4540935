import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { clock } from "@/server/clock";
import { isLockTimeout } from "@/server/db/faults";
import { lockStatement, locks } from "@/server/db/locks";
import { type Migration, readMigrations } from "@/server/db/migration-files";
import {
  type MigrationConnection,
  migrationConnection,
  RECORDS_TABLE,
  readRecords,
  record,
} from "@/server/db/migration-records";
import { MigrationFault, type MigrationStep, nextStep } from "@/server/db/migration-steps";
import { applyPlainly } from "@/server/db/online-migration";
import { completeOnline } from "@/server/db/online-migrations";
import { processName } from "@/server/db/process-name";
import { olderProcesses } from "@/server/db/schema-state.sql";
import { hasBackends, serverOptions } from "@/server/db/server-options";

const CONNECT_TIMEOUT_MS = 5_000;

class Locked extends MigrationFault {
  constructor(name: string) {
    super(
      `The migration ${name} was rolled back because others hold locks on a table for too long. End long transactions, such as a dump, and start again.`,
    );
  }
}

/** Throws MigrationFault when `migrate` could not go on from what the database holds. Changes nothing. */
export async function checkMigrations(connection: MigrationConnection, folder: string): Promise<void> {
  const [found] = await connection.rows("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS is_there", []);
  if (found?.is_there) nextStep(await readMigrations(folder), await readRecords(connection));
}

/** How long a migration waits for locks that others hold. Whoever needs the table meanwhile waits behind it, so it gives up soon, and tries again. */
export interface LockPatience {
  /** Milliseconds for one lock. */
  lockMs: number;
  /** Between two attempts. */
  pauseMs: number;
  inAllMs: number;
}

const PATIENCE: LockPatience = { lockMs: 2_000, pauseMs: 1_000, inAllMs: 300_000 };

/** Brings the database up to `folder` (prisma/migrations). Gives the names that were applied now; throws MigrationFault. `onStopFirst` is called before a migration of a used database that the previous version cannot run beside. */
export async function migrate(
  connectionString: string,
  folder: string,
  onStopFirst?: OnStopFirst,
  patience: LockPatience = PATIENCE,
): Promise<string[]> {
  const options = serverOptions(connectionString);
  const client = new pg.Client({ connectionString, options, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => {}); // a lost connection fails the query that runs
  await client.connect();
  try {
    const isEmbedded = !hasBackends(connectionString);
    return await applyMigrations(migrationConnection(client), folder, onStopFirst, { ...patience, isEmbedded });
  } finally {
    await client.end();
  }
}

type OnStopFirst = (migration: string, why: string) => void;

/** Returns the name of the newest migration of `folder` that a process needs: online ones may come later. */
export async function newestMigration(folder: string): Promise<string | undefined> {
  return newestOf(await readMigrations(folder));
}

function newestOf(migrations: readonly Migration[]): string | undefined {
  return migrations.findLast(({ rolling }) => !rolling?.isOnline)?.name;
}

/**
 * Applies the migrations of `folder` that are missing. Each runs and is recorded in one transaction of its own (a new
 * enum value may be used by the next one only after a commit). The lock ends with the transaction, so everything is
 * read again before each. On a new database and on an embedded one that includes the online migrations; on others they
 * are left for when the service is up (online-migrations.ts).
 */
export async function applyMigrations(
  connection: MigrationConnection,
  folder: string,
  onStopFirst: OnStopFirst = () => {},
  { lockMs, pauseMs, inAllMs, isEmbedded = false }: LockPatience & { isEmbedded?: boolean } = PATIENCE,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  let lockedSince: number | undefined;
  let isNew: boolean | undefined;
  for (;;) {
    await connection.run("BEGIN");
    try {
      await connection.run(lockStatement(locks.migrations));
      await connection.run(RECORDS_TABLE);
      const records = await readRecords(connection);
      isNew ??= records.length === 0;
      const isInOrder = isNew || isEmbedded;
      const next = nextStep(migrations, records, { isInOrder });
      if (next?.stopFirst && !isNew) {
        await refuseBesideOlder(connection, next, { migration: next.stopFirst, newest: newestOf(migrations) });
        if (next.stopFirst === next.migration) onStopFirst(next.migration.name, next.migration.rolling?.why ?? "");
      }
      const isOutside = next?.migration.rolling?.isOnline && !isInOrder;
      if (next && !isOutside) {
        await connection.run(`SET LOCAL lock_timeout = ${lockMs}`);
        await (next.isReplacement ? replace(connection, next.migration) : apply(connection, next.migration));
      }
      await connection.run("COMMIT");
      if (!next) return applied;
      if (isOutside) await faultOf(next.migration, () => completeOnline(connection, next.migration));
      if (!next.isReplacement) applied.push(next.migration.name);
      lockedSince = undefined;
    } catch (error) {
      await connection.run("ROLLBACK").catch(() => undefined);
      if (!(error instanceof Locked)) throw error;
      lockedSince ??= clock().monotonic();
      if (clock().monotonic() - lockedSince >= inAllMs) throw error;
      await wait(pauseMs);
    }
  }
}

/**
 * Refuses a migration that breaks processes of the previous version while any of them is connected. The ones that are
 * known from their connections have to stop first.
 */
async function refuseBesideOlder(
  connection: MigrationConnection,
  { isReplacement }: MigrationStep,
  { migration: { name, rolling }, newest }: { migration: Migration; newest: string | undefined },
): Promise<void> {
  // Processes that know newer migrations than those that are replaced may know the replaced ones all the same.
  const first = isReplacement ? newest : name;
  const older = await connection.rows(olderProcesses.text, [processName(first)]);
  if (older.length === 0) return;
  const places = older.map(({ place, connections }) => `${place} (connections: ${connections})`).join(", ");
  throw new MigrationFault(
    `The migration ${name} cannot run while processes of the previous version do: ${rolling?.why}. Stop them first: ${places}.`,
  );
}

async function apply(connection: MigrationConnection, migration: Migration): Promise<void> {
  await faultOf(migration, () =>
    migration.rolling?.isOnline ? applyPlainly(connection, migration) : connection.run(migration.script),
  );
  await record(connection, migration);
}

/** Runs what a migration does. Turns its failure into a sentence. */
async function faultOf({ name, rolling }: Migration, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof MigrationFault) throw error;
    if (isLockTimeout(error)) throw new Locked(name);
    const reason = error instanceof Error ? error.message : "unknown error";
    const left = rolling?.isOnline ? "failed" : "failed and was rolled back";
    throw new MigrationFault(`The migration ${name} ${left}: ${reason}.`);
  }
}

/** Takes over a database that was built by the migrations that this one stands for. */
async function replace(connection: MigrationConnection, migration: Migration): Promise<void> {
  const replaced = [...migration.replaces.keys()];
  await connection.rows("DELETE FROM _prisma_migrations WHERE migration_name = ANY ($1)", [replaced]);
  await record(connection, migration);
}
