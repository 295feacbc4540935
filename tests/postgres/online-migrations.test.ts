import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate, newestMigration } from "@/server/db/migrations";
import { incompleteOnline, runOnlineMigrations } from "@/server/db/online-migrations";
import { startOnlineMigrations } from "@/server/front-door/online-migrations";
import { underStartupLock } from "@/server/front-door/startup-lock";
import { newDatabase } from "@/tests/fakes/new-database";

const INDEX = 'CREATE INDEX CONCURRENTLY "things_name" ON "things" ("name");';
const BATCHES =
  'UPDATE "things" SET "size" = length("name"), "times" = "times" + 1\nWHERE "id" IN (SELECT "id" FROM "things" WHERE "size" IS NULL ORDER BY "id" LIMIT 100);';
const ROWS = 1_000;

let database: Awaited<ReturnType<typeof newDatabase>>;
let folder: string;
/** Holds an old snapshot: an index that is built concurrently waits for its end. */
let dump: pg.Client;
let request: pg.Client;

const write = (name: string, kind: string, sql: string) => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "migration.sql"), `-- rolling: ${kind}: a test\n${sql}`);
};
const rowsOf = async (sql: string) => (await request.query(sql)).rows;
const begun: string[] = [];
const run = (signal = new AbortController().signal) =>
  runOnlineMigrations(database.url, folder, { signal, onBegin: (name) => begun.push(name), onEnd: () => {} });
const indexes = () =>
  rowsOf(
    "SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'things'::regclass",
  );
const recorded = async () =>
  (await rowsOf("SELECT migration_name AS name FROM _prisma_migrations ORDER BY started_at, 1")).map(
    ({ name }) => name,
  );
const building = () =>
  rowsOf(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event = 'virtualxid'",
  );
const isBuilding = () => expect.poll(building).toHaveLength(1);
const holdSnapshot = () => dump.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");

beforeEach(async () => {
  begun.length = 0;
  folder = mkdtempSync(join(tmpdir(), "almanac-migrations-"));
  database = await newDatabase(process.env.TEST_DATABASE_URL ?? "", "almanac_test");
  [dump, request] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([dump.connect(), request.connect()]);
  const columns = "id int PRIMARY KEY, name text, size int, times int NOT NULL DEFAULT 0";
  const rows = `INSERT INTO things SELECT n, 'name ' || n FROM generate_series(1, ${ROWS}) n`;
  write("1_things", "safe", `CREATE TABLE things (${columns});\n${rows}`);
  await migrate(database.url, folder);
});

afterEach(async () => {
  await Promise.all([dump.end(), request.end()]);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("an online migration", () => {
  it("is left out by the start, which is as ready without it, and is run and recorded as safe afterwards", async () => {
    write("2_index", "online", INDEX);
    write("3_column", "safe", "ALTER TABLE things ADD COLUMN color text");
    expect(await migrate(database.url, folder)).toEqual(["3_column"]);
    expect(await newestMigration(folder)).toBe("3_column");
    write("4_index", "online", 'CREATE INDEX CONCURRENTLY "things_color" ON "things" ("color");');
    expect(await newestMigration(folder)).toBe("3_column");
    expect(await run()).toBe(true);
    expect(begun).toEqual(["2_index", "4_index"]);
    expect(await recorded()).toEqual(["1_things", "3_column", "2_index", "4_index"]);
    expect(await rowsOf("SELECT logs FROM _prisma_migrations WHERE migration_name = '2_index'")).toEqual([
      { logs: "rolling: safe" },
    ]);
    expect(await indexes()).toContainEqual({ name: "things_name", valid: true });
    expect(await migrate(database.url, folder)).toEqual([]);
    expect(await run()).toBe(true);
    expect(begun).toHaveLength(2);
  });

  it("lets requests read and write the table while it builds an index", async () => {
    write("2_index", "online", INDEX);
    await holdSnapshot();
    const done = run();
    await isBuilding();
    await request.query("SET lock_timeout = '1s'");
    await request.query("INSERT INTO things VALUES (0, 'zero'); UPDATE things SET name = 'one' WHERE id = 1");
    await request.query("DELETE FROM things WHERE id = 2");
    expect(await rowsOf("SELECT name FROM things WHERE id IN (0, 1, 2) ORDER BY id")).toEqual([
      { name: "zero" },
      { name: "one" },
    ]);
    await dump.query("COMMIT");
    expect(await done).toBe(true);
    await request.query("SET enable_seqscan = off");
    expect(await rowsOf("SELECT id FROM things WHERE name IN ('zero', 'one') ORDER BY id")).toEqual([
      { id: 0 },
      { id: 1 },
    ]);
  });

  it("drops the index that an interrupted attempt left invalid, and builds it again", async () => {
    write("2_index", "online", INDEX);
    await holdSnapshot();
    const killed = run();
    const failure = expect(killed).rejects.toThrow(/terminat/);
    await isBuilding();
    await request.query("SELECT pg_terminate_backend($1)", [(await building())[0].pid]);
    await failure;
    expect(await indexes()).toContainEqual({ name: "things_name", valid: false });
    expect(await recorded()).toEqual(["1_things"]);
    await dump.query("COMMIT");
    expect(await run()).toBe(true);
    expect(await indexes()).toContainEqual({ name: "things_name", valid: true });
    expect(await recorded()).toEqual(["1_things", "2_index"]);
  });

  it("that a process leaves is waited for by the next one, which takes the index as it is", async () => {
    write("2_index", "online", INDEX);
    await holdSnapshot();
    const leaving = new AbortController();
    const left = run(leaving.signal).catch(() => undefined);
    await isBuilding();
    leaving.abort();
    await left;
    expect(await run()).toBe(false);
    expect(begun).toEqual(["2_index"]);
    await dump.query("COMMIT");
    await expect.poll(() => run()).toBe(true);
    expect(await recorded()).toEqual(["1_things", "2_index"]);
    expect(await indexes()).toContainEqual({ name: "things_name", valid: true });
  });

  it("changes rows in batches, each row once, also after it was interrupted between two", async () => {
    write("2_sizes", "online", BATCHES);
    const left = () => rowsOf("SELECT count(*)::int AS count FROM things WHERE size IS NULL");
    await dump.query("BEGIN; SELECT FROM things WHERE id = 450 FOR UPDATE");
    const killed = run();
    const failure = expect(killed).rejects.toThrow(/terminat/);
    await expect.poll(left).toEqual([{ count: ROWS - 400 }]);
    const waiting = () =>
      rowsOf("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
    await expect.poll(waiting).toHaveLength(1);
    await request.query("SELECT pg_terminate_backend($1)", [(await waiting())[0].pid]);
    await failure;
    expect(await left()).toEqual([{ count: ROWS - 400 }]);
    await dump.query("COMMIT");
    expect(await run()).toBe(true);
    expect(await rowsOf("SELECT min(times), max(times), count(size)::int AS sizes FROM things")).toEqual([
      { min: 1, max: 1, sizes: ROWS },
    ]);
  });

  it("is run by one of several processes", async () => {
    write("2_sizes", "online", BATCHES);
    const all = await Promise.all([run(), run(), run()]);
    expect(all).toContain(true);
    expect(begun).toEqual(["2_sizes"]);
    expect(await rowsOf("SELECT DISTINCT times FROM things")).toEqual([{ times: 1 }]);
  });

  it("is complete before a migration that the previous version cannot run beside", async () => {
    write("2_sizes", "online", BATCHES);
    write("3_index", "online", INDEX);
    write("4_required", "stop-first", "ALTER TABLE things ALTER COLUMN size SET NOT NULL");
    write("5_later", "online", 'ANALYZE "things";');
    const older = new pg.Client({ connectionString: database.url, application_name: "almanac 20260101000000_one" });
    await older.connect();
    // As they are called in prisma/migrations.
    await expect(migrate(database.url, folder)).rejects.toThrow(/^The migration 4_required cannot run while/);
    expect(await recorded()).toEqual(["1_things"]);
    await older.end();
    expect(await migrate(database.url, folder)).toEqual(["2_sizes", "3_index", "4_required"]);
    expect(await recorded()).toEqual(["1_things", "2_sizes", "3_index", "4_required"]);
    expect(
      (await incompleteOnline({ rows: async (sql) => await rowsOf(sql) }, folder)).map(({ name }) => name),
    ).toEqual(["5_later"]);
  });

  it("does not wait for a process that starts meanwhile and waits for another start", async () => {
    write("2_index", "online", INDEX);
    let end = () => {};
    const first = underStartupLock(database.url, () => new Promise<void>((resolve) => (end = resolve)));
    const second = underStartupLock(database.url, async () => "started");
    expect(await run()).toBe(true);
    end();
    await first;
    expect(await second).toBe("started");
  });

  it("that fails is tried again, and the service goes on", async () => {
    write("2_unique", "online", 'CREATE UNIQUE INDEX CONCURRENTLY "things_one" ON "things" ("name");');
    await request.query("UPDATE things SET name = 'twice' WHERE id < 3");
    const end = startOnlineMigrations(database.url, folder, { askAgainMs: 20, tryAgainMs: 20 });
    await expect.poll(indexes).toContainEqual({ name: "things_one", valid: false });
    await request.query("UPDATE things SET name = 'once' WHERE id = 1");
    await expect.poll(recorded).toEqual(["1_things", "2_unique"]);
    await end();
    expect(await indexes()).toContainEqual({ name: "things_one", valid: true });
  });
});

describe("an online index of a table with partitions", () => {
  const parts = () =>
    rowsOf(
      "SELECT indrelid::regclass::text AS table, indisvalid AS valid FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid::regclass::text LIKE 'days%' ORDER BY 1",
    );

  beforeEach(async () => {
    write(
      "1_things_days",
      "safe",
      [
        "CREATE TABLE days (state text, day int) PARTITION BY LIST (state);",
        "CREATE TABLE days_open PARTITION OF days FOR VALUES IN ('open');",
        "CREATE TABLE days_past PARTITION OF days FOR VALUES IN ('past') PARTITION BY RANGE (day);",
        "CREATE TABLE days_past_1 PARTITION OF days_past FOR VALUES FROM (1) TO (2);",
        "CREATE TABLE days_past_2 PARTITION OF days_past FOR VALUES FROM (2) TO (3);",
        "INSERT INTO days SELECT state, 1 + n % 2 FROM generate_series(1, 100) n, unnest('{open,past}'::text[]) state;",
      ].join("\n"),
    );
    await migrate(database.url, folder);
    write("2_index", "online", 'CREATE INDEX CONCURRENTLY "days_day" ON "days" ("day");');
  });

  it("is built for one partition after the other, also after it was interrupted, and for those that are added meanwhile", async () => {
    await holdSnapshot();
    const killed = run();
    const failure = expect(killed).rejects.toThrow(/terminat/);
    await isBuilding();
    await request.query("INSERT INTO days VALUES ('open', 1), ('past', 2)");
    await request.query("SELECT pg_terminate_backend($1)", [(await building())[0].pid]);
    await failure;
    await request.query("CREATE TABLE days_past_3 (LIKE days)");
    await request.query("ALTER TABLE days_past ATTACH PARTITION days_past_3 FOR VALUES FROM (3) TO (4)");
    await dump.query("COMMIT");
    expect(await run()).toBe(true);
    const tables = ["days", "days_open", "days_past", "days_past_1", "days_past_2", "days_past_3"];
    expect(await parts()).toEqual(tables.map((table) => ({ table, valid: true })));
    await request.query(
      "CREATE TABLE days_past_4 PARTITION OF days_past FOR VALUES FROM (4) TO (5); INSERT INTO days VALUES ('past', 4)",
    );
    expect(await parts()).toContainEqual({ table: "days_past_4", valid: true });
  });
});
