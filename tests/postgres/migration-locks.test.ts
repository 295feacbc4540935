import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type LockPatience, migrate } from "@/server/db/migrations";
import { newDatabase } from "@/tests/fakes/new-database";

const PATIENCE: LockPatience = { lockMs: 50, pauseMs: 20, inAllMs: 120_000 };
let database: Awaited<ReturnType<typeof newDatabase>>;
let folder: string;
let dump: pg.Client;
let request: pg.Client;

const script = (name: string, sql: string) => {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "migration.sql"), `-- rolling: safe: a test\n${sql}`);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-migrations-"));
  database = await newDatabase(process.env.TEST_DATABASE_URL ?? "", "almanac_test");
  [dump, request] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([dump.connect(), request.connect()]);
  script("1_table", "CREATE TABLE things (id int)");
  await migrate(database.url, folder);
  script("2_column", "ALTER TABLE things ADD COLUMN name text");
  await dump.query("BEGIN");
  await dump.query("SELECT FROM things");
});

afterEach(async () => {
  await Promise.all([dump.end(), request.end()]);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

it("a migration behind a long transaction lets requests pass, and is applied when that is over", async () => {
  const migrated = migrate(database.url, folder, undefined, PATIENCE);
  const waits = async () =>
    (await request.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ALTER%'"))
      .rowCount;
  for (let times = 0; times < 3; times += 1) {
    await expect.poll(waits, { interval: 1 }).toBe(1);
    await request.query("SELECT FROM things"); // behind the migration, which waits for the dump
  }
  await dump.query("COMMIT");
  expect(await migrated).toEqual(["2_column"]);
});

it("it says why it cannot be applied when that takes too long, and has changed nothing", async () => {
  const migrated = migrate(database.url, folder, undefined, { ...PATIENCE, inAllMs: 100 });
  await expect(migrated).rejects.toThrow(/The migration 2_column was rolled back because others hold locks/);
  const { rows } = await request.query("SELECT migration_name AS name FROM _prisma_migrations");
  expect(rows).toEqual([{ name: "1_table" }]);
});
