import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { runOnlineMigrations } from "@/server/db/online-migrations";
import { emptyDatabase } from "../../fakes/test-database";

const all = resolve(import.meta.dirname, "../../../prisma/migrations");

/** The migration that stands for those of before 1.0. */
export const GROUND = "20261126200000_ground";

export interface Former {
  /** Of a migration, whether the version before had it already. */
  had(migration: string): boolean;
  /** Stores what that version wrote. */
  fill(db: Database): Promise<unknown>;
}

/** A database of the version before with its rows, and the migrations since then. */
export async function formerDatabase({ had, fill }: Former) {
  const older = mkdtempSync(join(tmpdir(), "almanac-former-"));
  for (const name of readdirSync(all)) if (had(name)) cpSync(join(all, name), join(older, name), { recursive: true });
  const database = await emptyDatabase();
  await migrate(database.url, older);
  rmSync(older, { recursive: true });
  const former = connect(database.url);
  await fill(former);
  await former.close();
  const applied = [...(await migrate(database.url, all)), ...(await onlineIn(database.url))].toSorted();
  const db = connect(database.url);
  const close = async () => {
    await db.close();
    await database.close();
  };
  return { db, applied, close };
}

/** Runs what a process runs after its start. The embedded database has had it before. */
async function onlineIn(url: string): Promise<string[]> {
  const names: string[] = [];
  const run = { signal: new AbortController().signal, onBegin: () => undefined };
  if (url.startsWith("postgres"))
    await runOnlineMigrations(url, all, { ...run, onEnd: (name) => void names.push(name) });
  return names;
}

/** Records what a version before 1.0 has in place of the ground: its tables are the same. */
export async function recordReplaced({ query }: Database): Promise<void> {
  const lines = readFileSync(join(all, GROUND, "replaces.sha256"), "utf8")
    .trim()
    .split("\n");
  const rows = lines.map((line) => line.split(/ {2}|\//));
  await query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [GROUND]);
  await query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
SELECT gen_random_uuid(), checksum, name, now() FROM unnest($1::text[], $2::text[]) AS r(checksum, name)`,
    [rows.map(([checksum]) => checksum), rows.map(([, name]) => name)],
  );
}
