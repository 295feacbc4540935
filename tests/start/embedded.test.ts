import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EmbeddedDatabase, startEmbedded } from "@/server/front-door/embedded";

let dataDir: string;
let database: EmbeddedDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  // Deep enough that the socket has to lie elsewhere.
  dataDir = join(mkdtempSync(join(tmpdir(), "almanac-embedded-")), "x".repeat(100));
  mkdirSync(dataDir);
  database = await startEmbedded(dataDir);
  pool = new pg.Pool({ connectionString: database.url, max: 10 });
}, 300_000);

afterAll(async () => {
  await pool.end();
  await database.close();
  rmSync(join(dataDir, ".."), { recursive: true });
});

it("is an ordinary PostgreSQL address that only this user can open", async () => {
  expect((await pool.query("SHOW server_version_num")).rows[0].server_version_num).toMatch(/^1[4-9]\d{4}$/);
  const folder = new URL(database.url).searchParams.get("host") ?? "";
  expect(Buffer.byteLength(folder)).toBeLessThan(90);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toEqual([".s.PGSQL.5432"]);
  expect(realpathSync(join(dataDir, "socket"))).toBe(realpathSync(folder));
});

it("keeps fsync on: what is committed survives kill -9", async () => {
  expect((await pool.query("SHOW fsync")).rows).toEqual([{ fsync: "on" }]);
});

it("keeps 16 MB of pages in memory", async () => {
  expect((await pool.query("SHOW shared_buffers")).rows).toEqual([{ shared_buffers: "16MB" }]);
});

it("never mixes the statements of two connections, however large their values", async () => {
  const sent = Array.from({ length: 400 }, (_, at) => ({ at, text: String(at).repeat(at % 10 === 0 ? 60_000 : 2) }));
  const read = await Promise.all(
    sent.map(async ({ at, text }) =>
      at % 2 === 0
        ? (await pool.query("SELECT $1::text AS text, $2::int AS at", [text, at])).rows[0]
        : (await pool.query("SELECT $1::int AS at, $2::text AS text", [at, text])).rows[0],
    ),
  );
  expect(read).toEqual(sent);
});

it("lets nobody into another connection's transaction", async () => {
  await pool.query("CREATE TABLE count (n INT); INSERT INTO count VALUES (0)");
  const add = async () => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const { rows } = await client.query<{ n: number }>("SELECT n FROM count FOR UPDATE");
      await client.query("UPDATE count SET n = $1", [(rows[0]?.n ?? 0) + 1]);
      await client.query("COMMIT");
    } finally {
      client.release();
    }
  };
  await Promise.all(Array.from({ length: 50 }, add));
  expect((await pool.query("SELECT n FROM count")).rows).toEqual([{ n: 50 }]);
});

it("takes back the transaction of a connection that went away", async () => {
  await pool.query("CREATE TABLE left_over (n INT)");
  const client = await pool.connect();
  await client.query("BEGIN; INSERT INTO left_over VALUES (1)");
  client.release(true);
  expect((await pool.query("SELECT * FROM left_over")).rows).toEqual([]);
});

it("goes on after a statement that fails, inside a transaction and outside", async () => {
  await expect(pool.query("SELECT 1/$1::int", [0])).rejects.toThrow("division by zero");
  const client = await pool.connect();
  await client.query("BEGIN");
  await expect(client.query("SELECT nothing")).rejects.toThrow("does not exist");
  await expect(client.query("SELECT 1")).rejects.toThrow("current transaction is aborted");
  await client.query("ROLLBACK");
  client.release();
  expect((await pool.query("SELECT $1::int AS n", [1])).rows).toEqual([{ n: 1 }]);
});
