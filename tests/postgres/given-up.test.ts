import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { testDatabase } from "@/tests/fakes/test-database";

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
    tcp_user_timeout: "60000",
  });
});
