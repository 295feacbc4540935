import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { isLockTimeout } from "@/server/db/faults";
import type { Migration } from "@/server/db/migration-files";
import { type MigrationConnection, record } from "@/server/db/migration-records";
import { indexState, partitionsWithout, tableKind } from "@/server/db/online-index.sql";
import { indexSql, type OnlineIndex, onlineStatements } from "@/server/db/online-statements";

/** Whoever writes to the table waits behind a statement that waits for its lock. */
const BRIEF_MS = 1_000;
const PAUSE_MS = 1_000;

/**
 * Runs an online migration outside a transaction, on a connection that has the lock of online migrations, and records it. What an earlier attempt
 * left is gone on with: a complete index stays, one that was interrupted is dropped and built again, and a batch takes the rows that are left.
 */
export async function applyOnline(connection: MigrationConnection, migration: Migration): Promise<void> {
  // By themselves, roles may have limits that are meant for requests.
  await connection.run("SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0");
  for (const statement of onlineStatements(migration.name, migration.script)) {
    if (statement.kind === "index") await build(connection, statement.index);
    else if (statement.kind === "batches") await repeat(connection, statement.sql);
    else await connection.run(statement.sql);
  }
  await record(connection, migration);
}

/** Runs an online migration where nobody waits for a table: in a transaction, on a database that is new or embedded. */
export async function applyPlainly(connection: MigrationConnection, { name, script }: Migration): Promise<void> {
  for (const statement of onlineStatements(name, script)) {
    if (statement.kind === "index") await connection.run(indexSql(statement.index, "plain"));
    else if (statement.kind === "once") await connection.run(statement.sql.replace(" CONCURRENTLY ", " "));
    else while ((await changed(connection, statement.sql)) > 0);
  }
}

async function build(connection: MigrationConnection, index: OnlineIndex): Promise<void> {
  const [table] = await connection.rows(tableKind.text, [index.table]);
  if (table?.is_partitioned) return await buildByPartition(connection, index);
  const [found] = await connection.rows(indexState.text, [index.name]);
  if (found?.is_valid) return;
  // Only one process builds, so what is not valid was interrupted.
  if (found) await connection.run(`DROP INDEX CONCURRENTLY "${index.name}"`);
  await connection.run(indexSql(index, "concurrently"));
}

/** Builds an index of a table with partitions, which PostgreSQL can't do concurrently as a whole. It is valid once each partition has its part. */
async function buildByPartition(connection: MigrationConnection, index: OnlineIndex): Promise<void> {
  const { name, table } = index;
  const [found] = await connection.rows(indexState.text, [name]);
  if (found?.is_valid) return;
  // A partition that is added from here on gets its part by itself.
  if (!found) await briefly(connection, indexSql(index, "only"));
  for (const row of await connection.rows(partitionsWithout.text, [table, name])) {
    const partition = String(row.name);
    const part = { ...index, name: partName(name, partition), table: partition };
    await build(connection, part);
    await briefly(connection, `ALTER INDEX "${name}" ATTACH PARTITION "${part.name}"`);
  }
}

/** Names an index of a partition, the same at each attempt and within PostgreSQL's 63 characters. */
function partName(index: string, partition: string): string {
  return `${index.slice(0, 50)}_${createHash("sha256").update(`${index} ${partition}`).digest("hex").slice(0, 12)}`;
}

/** Runs a statement that takes a moment once it has its lock, and lets others pass as long as it does not get it. */
async function briefly(connection: MigrationConnection, sql: string): Promise<void> {
  for (;;) {
    try {
      return void (await connection.run(`SET LOCAL lock_timeout = ${BRIEF_MS}; ${sql}`));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await wait(PAUSE_MS);
    }
  }
}

/** Runs a statement until it changes nothing more. It rests as long as it works, since it is never urgent. */
async function repeat(connection: MigrationConnection, sql: string): Promise<void> {
  for (;;) {
    const began = clock().monotonic();
    if ((await changed(connection, sql)) === 0) return;
    await wait(clock().monotonic() - began);
  }
}

async function changed(connection: MigrationConnection, sql: string): Promise<number> {
  const [row] = await connection.rows(
    `WITH changed AS (${sql} RETURNING 1) SELECT count(*)::int AS count FROM changed`,
    [],
  );
  return Number(row?.count);
}
