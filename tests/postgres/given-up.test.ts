import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { newDatabase } from "@/tests/fakes/new-database";
import { testDatabase } from "@/tests/fakes/test-database";

/** Only Linux has it. */
const USER_TIMEOUT = process.platform === "linux" ? "60000" : "0";

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url);
});

afterAll(async () => {
  await db.close();
  await database.close();
});

it("the server ends a statement that this process has given up", async () => {
  const hasty = connect(database.url, { query_timeout: 100 });
  await expect(hasty.query("SELECT pg_sleep(60)")).rejects.toThrow("Query read timeout");
  const running = () =>
    db.query("SELECT pid FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'");
  await expect.poll(running).toEqual([]);
  await hasty.close();
});

it("the server looks for a machine that is gone while it migrates", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-migrations-"));
  const own = await newDatabase(process.env.TEST_DATABASE_URL ?? "", "almanac_test");
  try {
    mkdirSync(join(folder, "1_seen"));
    const seen =
      "CREATE TABLE seen AS SELECT current_setting('tcp_user_timeout') AS at_most, current_setting('statement_timeout') AS statement";
    writeFileSync(join(folder, "1_seen", "migration.sql"), `-- rolling: safe: a test\n${seen}`);
    await migrate(own.url, folder);
    const reader = connect(own.url);
    expect(await reader.query("SELECT * FROM seen")).toEqual([{ at_most: USER_TIMEOUT, statement: "0" }]);
    await reader.close();
  } finally {
    await own.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it("the server looks for machines that are gone, and ends transactions that hang", async () => {
  const names = [
    ...["tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_user_timeout"],
    ...["idle_in_transaction_session_timeout", "jit"],
  ];
  const settings = await db.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name = ANY ($1) ORDER BY name",
    [names],
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    idle_in_transaction_session_timeout: "300000",
    jit: "off",
    tcp_keepalives_idle: "30",
    tcp_keepalives_interval: "10",
    tcp_user_timeout: USER_TIMEOUT,
  });
});
