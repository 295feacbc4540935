import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { migrate } from "@/server/db/migrations";
import { readStamp, sourceDigest } from "@/server/front-door/build-stamp.mjs";
import { startEmbedded } from "@/server/front-door/embedded";
import { copyEmptyDatabase } from "@/server/front-door/empty-database";
import { newDatabase } from "./new-database";

const root = resolve(import.meta.dirname, "../..");
const migrations = join(root, "prisma", "migrations");

export interface TestDatabase {
  url: string;
  close(): Promise<void>;
}

/** A migrated, empty database: on the PostgreSQL server of TEST_DATABASE_URL, or embedded as a fresh machine has it. A copy of the template where one was created. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = process.env.TEST_DATABASE_TEMPLATE;
  const server = process.env.TEST_DATABASE_URL;
  if (template) return server ? await newDatabase(server, "almanac_test", template) : await embedded(template);
  const database = await emptyDatabase();
  await migrate(database.url, migrations);
  return database;
}

/** A database before its first migration. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  return server ? await newDatabase(server, "almanac_test") : await embedded();
}

/** From now on the databases of this process and its children are copies of one that is migrated once. Gives what drops it. */
export async function createTemplate(): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL;
  if (server) {
    const database = await newDatabase(server, "almanac_template");
    await migrate(database.url, migrations);
    process.env.TEST_DATABASE_TEMPLATE = new URL(database.url).pathname.slice(1);
    return database.close;
  }
  const folder = mkdtempSync(join(tmpdir(), "almanac-template-"));
  if (await isBuilt()) await copyEmptyDatabase(root, folder);
  else await createEmbedded(folder);
  process.env.TEST_DATABASE_TEMPLATE = folder;
  return async () => rmSync(folder, { recursive: true, force: true });
}

/** Whether a build of these very sources has made an empty database. */
async function isBuilt(): Promise<boolean> {
  return (await readStamp(root)) === (await sourceDigest(root));
}

async function createEmbedded(folder: string): Promise<void> {
  const database = await startEmbedded(folder);
  await migrate(database.url, migrations);
  await database.close();
}

/** An embedded database: as a fresh machine has it before its first migration, or a copy of a template. */
export async function embedded(template?: string): Promise<TestDatabase> {
  // Within its template it is removed with it, also if the process of its file is ended before it.
  const folder = mkdtempSync(join(template ?? tmpdir(), "almanac-test-"));
  if (template) cpSync(join(template, "postgres"), join(folder, "postgres"), { recursive: true });
  const database = await startEmbedded(folder);
  return {
    url: database.url,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
