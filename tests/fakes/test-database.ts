import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { migrate } from "@/server/db/migrations";
import { startEmbedded } from "@/server/front-door/embedded";
import { newDatabase } from "./new-database";

const migrations = resolve(import.meta.dirname, "../../prisma/migrations");

/** A migrated, empty database: on the PostgreSQL server of TEST_DATABASE_URL, or embedded as a fresh machine has it. */
export async function testDatabase(): Promise<{ url: string; close: () => Promise<void> }> {
  const database = process.env.TEST_DATABASE_URL
    ? await newDatabase(process.env.TEST_DATABASE_URL, "almanac_test")
    : await embedded();
  await migrate(database.url, migrations);
  return database;
}

async function embedded() {
  const folder = mkdtempSync(join(tmpdir(), "almanac-test-"));
  const database = await startEmbedded(folder);
  return {
    url: database.url,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
