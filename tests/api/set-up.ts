import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { migrate } from "@/server/db/migrations";
import { startEmbedded } from "@/server/front-door/embedded";
import { newDatabase } from "../fakes/new-database";

const migrations = resolve(import.meta.dirname, "../../prisma/migrations");

/**
 * One migrated, empty database for all API tests: on the PostgreSQL server of TEST_DATABASE_URL, or embedded as a fresh
 * machine has it. The tests reach it by DATABASE_URL, as the service does.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const { url, close } = process.env.TEST_DATABASE_URL
    ? await newDatabase(process.env.TEST_DATABASE_URL, "almanac_test")
    : await embedded();
  await migrate(url, migrations);
  process.env.DATABASE_URL = url;
  process.env.ENCRYPTION_KEYS = `t1:${randomBytes(32).toString("base64")}`;
  process.env.LOG_LEVEL = "warn";
  return close;
}

async function embedded() {
  const folder = mkdtempSync(join(tmpdir(), "almanac-api-"));
  const database = await startEmbedded(folder);
  return {
    url: database.url,
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
