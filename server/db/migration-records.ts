import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Migration } from "@/server/db/migration-files";
import type { MigrationRecord } from "@/server/db/migration-steps";

/** What the runners of migrations need of a connection: `run` sends a whole script as one simple query. */
export interface MigrationConnection {
  run(script: string): Promise<unknown>;
  rows(statement: string, values: unknown[]): Promise<Record<string, unknown>[]>;
}

export function migrationConnection(client: pg.Client): MigrationConnection {
  return {
    run: (script) => client.query(script),
    rows: async (statement, values) => (await client.query(statement, values)).rows,
  };
}

/** In the column where Prisma keeps what went wrong. */
const SAFE_RECORD = "rolling: safe";

/** Reads what a database says of its migrations. */
export async function readRecords(connection: Pick<MigrationConnection, "rows">): Promise<MigrationRecord[]> {
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

/** Records that a migration is complete. */
export async function record(
  connection: MigrationConnection,
  { name, checksum, rolling }: Pick<Migration, "name" | "checksum" | "rolling">,
): Promise<void> {
  await connection.rows(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count, logs)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1, $4)`,
    [randomUUID(), checksum, name, rolling?.isSafe ? SAFE_RECORD : null],
  );
}

export const RECORDS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
