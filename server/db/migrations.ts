import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { clock } from "@/server/clock";
import { lockStatement, locks } from "@/server/db/locks";
import { type Migration, readMigrations } from "@/server/db/migration-files";
import { MigrationFault, type MigrationRecord, type MigrationStep, nextStep } from "@/server/db/migration-steps";
import { processName } from "@/server/db/process-name";
import { olderProcesses } from "@/server/db/schema-state.sql";
import { serverOptions } from "@/server/db/server-options";

const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_NOT_AVAILABLE = "55P03";

class Locked extends MigrationFault {
  constructor(name: string) {
    super(
      `The migration ${name} was rolled back because others hold locks on a table for too long. End long transactions, such as a dump, and start again.`,
    );
  }
}

/** What the runner needs of a connection: `run` sends a whole script as one simple query. */
export interface MigrationConnection {
  run(script: string): Promise<unknown>;
  rows(statement: string, values: unknown[]): Promise<Record<string, unknown>[]>;
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
    return await applyMigrations(migrationConnection(client), folder, onStopFirst, patience);
  } finally {
    await client.end();
  }
}

type OnStopFirst = (migration: string, why: string) => void;

/** Returns the name of the newest migration of `folder`. */
export async function newestMigration(folder: string): Promise<string | undefined> {
  return (await readMigrations(folder)).at(-1)?.name;
}

export function migrationConnection(client: pg.Client): MigrationConnection {
  return {
    run: (script) => client.query(script),
    rows: async (statement, values) => (await client.query(statement, values)).rows,
  };
}

/**
 * Applies the migrations of `folder` that are missing. Each runs and is recorded in one transaction of its own (a new
 * enum value may be used by the next one only after a commit). The lock ends with the transaction, so everything is
 * read again before each.
 */
export async function applyMigrations(
  connection: MigrationConnection,
  folder: string,
  onStopFirst: OnStopFirst = () => {},
  { lockMs, pauseMs, inAllMs }: LockPatience = PATIENCE,
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  let lockedSince: number | undefined;
  for (;;) {
    await connection.run("BEGIN");
    try {
      await connection.run(lockStatement(locks.migrations));
      await connection.run(TABLE);
      const records = await readRecords(connection);
      const next = nextStep(migrations, records);
      if (next?.migration.rolling?.isSafe === false && records.length > applied.length) {
        await refuseBesideOlder(connection, next, migrations);
        onStopFirst(next.migration.name, next.migration.rolling.why);
      }
      if (next) {
        await connection.run(`SET LOCAL lock_timeout = ${lockMs}`);
        await (next.isReplacement ? replace(connection, next.migration) : apply(connection, next.migration));
      }
      await connection.run("COMMIT");
      if (!next) return applied;
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

/** In the column where Prisma keeps what went wrong. */
const SAFE_RECORD = "rolling: safe";

async function readRecords(connection: MigrationConnection): Promise<MigrationRecord[]> {
  const rows = await connection.rows(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS is_finished, logs IS NOT DISTINCT FROM '${SAFE_RECORD}' AS is_safe
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
    [],
  );
  return rows.map((row) => ({
    name: String(row.migration_name),
    checksum: String(row.checksum),
    isFinished: row.is_finished === true,
    isSafe: row.is_safe === true,
  }));
}

/**
 * Refuses a migration that breaks processes of the previous version while any of them is connected. The ones that are
 * known from their connections have to stop first.
 */
async function refuseBesideOlder(
  connection: MigrationConnection,
  { migration: { name, rolling }, isReplacement }: MigrationStep,
  migrations: readonly Migration[],
): Promise<void> {
  // Processes that know newer migrations than those that are replaced may know the replaced ones all the same.
  const first = isReplacement ? migrations.at(-1)?.name : name;
  const older = await connection.rows(olderProcesses.text, [processName(first)]);
  if (older.length === 0) return;
  const places = older.map(({ place, connections }) => `${place} (connections: ${connections})`).join(", ");
  throw new MigrationFault(
    `The migration ${name} cannot run while processes of the previous version do: ${rolling?.why}. Stop them first: ${places}.`,
  );
}

async function apply(connection: MigrationConnection, migration: Migration): Promise<void> {
  const { name, script } = migration;
  try {
    await connection.run(script);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE) throw new Locked(name);
    const reason = error instanceof Error ? error.message : "unknown error";
    throw new MigrationFault(`The migration ${name} failed and was rolled back: ${reason}.`);
  }
  await record(connection, migration);
}

/** Takes over a database that was built by the migrations that this one stands for. */
async function replace(connection: MigrationConnection, migration: Migration): Promise<void> {
  const replaced = [...migration.replaces.keys()];
  await connection.rows("DELETE FROM _prisma_migrations WHERE migration_name = ANY ($1)", [replaced]);
  await record(connection, migration);
}

async function record(connection: MigrationConnection, { name, checksum, rolling }: Migration): Promise<void> {
  await connection.rows(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count, logs)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1, $4)`,
    [randomUUID(), checksum, name, rolling?.isSafe ? SAFE_RECORD : null],
  );
}

const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
