import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { embedded } from "../../fakes/test-database";

const all = resolve(import.meta.dirname, "../../../prisma/migrations");

export interface Former<Seen> {
  /** Of a migration, whether the version before had it already. */
  had(migration: string): boolean;
  /** Statements in the words of the version before. */
  rows: string;
  /** What is looked at before the other migrations. */
  look?(db: Database): Promise<Seen>;
}

/** A database of the version before with its rows, and the migrations since then. */
export async function formerDatabase<Seen>({ had, rows, look }: Former<Seen>) {
  const older = mkdtempSync(join(tmpdir(), "almanac-former-"));
  for (const name of readdirSync(all)) if (had(name)) cpSync(join(all, name), join(older, name), { recursive: true });
  const database = await embedded();
  await migrate(database.url, older);
  const former = connect(database.url);
  for (const statement of rows.split(/;\n/)) if (statement.trim() !== "") await former.query(statement);
  const seen = await look?.(former);
  await former.close();
  await migrate(database.url, all);
  const db = connect(database.url);
  const close = async () => {
    await db.close();
    await database.close();
    rmSync(older, { recursive: true, force: true });
  };
  return { db, seen, close };
}
