import { expect, it } from "vitest";
import { connect, type Database, type Query } from "@/server/db/client";
import { type Day, parseDay } from "@/server/domain/time/day";
import { ensurePartition } from "@/server/store/request-logs/partitions";
import { reusedDatabase } from "../../fakes/reused-database";
import { type TestDatabase, testDatabase } from "../../fakes/test-database";

interface Column {
  name: string;
  /** Or its type. */
  value: string;
}

/** A value of each type that a table needs where it has no default. */
const values: [RegExp, string][] = [
  [/\[\]$/, "'{}'"],
  [/^uuid/, "gen_random_uuid()"],
  [/^(text|character)/, "'a'"],
  [/^(integer|bigint|smallint|double|numeric)/, "1"],
  [/^timestamp|^date/, "'2030-01-01'"],
  [/^boolean/, "true"],
  [/^jsonb?/, "'{}'"],
  [/^bytea/, "'\\x00'"],
];

async function onDatabase<Result>({ url }: TestDatabase, work: (db: Database) => Promise<Result>): Promise<Result> {
  const database = connect(url, { max: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const digest = "concat_ws(' ', count(*), md5(string_agg(to_jsonb(t)::text, ',' ORDER BY to_jsonb(t)::text)))";

/** All tables with how many rows they have and a digest of them, and all sequences with where they are. */
async function contentOf(query: Query): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1",
  );
  const counted = tables.map(({ name }) => `SELECT '${name}' AS name, ${digest} AS content FROM "${name}" t`);
  const sequences = "SELECT sequencename, coalesce(last_value::text, 'new') FROM pg_sequences";
  const rows = await query<{ name: string; content: string }>(`${counted.join(" UNION ALL ")} UNION ALL ${sequences}`);
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}

/** A row in each table that has none, whatever the row should refer to. */
async function fillEachTable(query: Query): Promise<void> {
  const tables = await query<{ name: string; columns: Column[] }>(
    `SELECT relname AS name, (SELECT json_agg(json_build_object('name', attname, 'value', CASE typtype
    WHEN 'e' THEN (SELECT quote_literal(enumlabel) FROM pg_enum WHERE enumtypid = t.oid LIMIT 1) ELSE format_type(t.oid, NULL) END))
  FROM pg_attribute JOIN pg_type t ON t.oid = atttypid WHERE attrelid = c.oid AND attnum > 0 AND attnotnull AND NOT atthasdef) AS columns
FROM pg_class c WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  );
  const seeded = await contentOf(query);
  await query("SET session_replication_role = replica");
  for (const { name, columns } of tables.filter((table) => seeded[table.name] === "0")) {
    const given = columns.map(({ value }) => values.find(([type]) => type.test(value))?.[1] ?? value);
    await query(`INSERT INTO "${name}" (${columns.map((column) => column.name).join()}) VALUES (${given.join()})`);
  }
  await query("SET session_replication_role = origin");
}

it("a database that is used again has what a new one has", async () => {
  const fresh = await testDatabase();
  const expected = await onDatabase(fresh, ({ query }) => contentOf(query));
  const first = await reusedDatabase();
  const filled = await onDatabase(first, async (db) => {
    await ensurePartition(db, parseDay("2030-01-01") as Day);
    await fillEachTable(db.query);
    await db.query("UPDATE alert_looks SET looked_at = '2030-01-01'");
    return await contentOf(db.query);
  });
  // Each row is in one of its table's partitions.
  const tables = Object.keys(expected).filter((name) => !/_(rest|history|queue|before_\d+)$/.test(name));
  expect(tables.filter((name) => filled[name] === expected[name])).toEqual(["_prisma_migrations"]);
  await first.close();
  const second = await reusedDatabase();
  expect(await onDatabase(second, ({ query }) => contentOf(query))).toEqual(expected);
  if (!process.env.TEST_DATABASE_URL) expect(second.url).toBe(first.url);
  await second.close();
  await fresh.close();
});

it.each(["ALTER TABLE profiles ADD COLUMN more text", "ANALYZE alert_looks"])(
  "a database that had %s run on it is not used again",
  async (statement) => {
    const first = await reusedDatabase();
    await onDatabase(first, ({ query }) => query(statement));
    await first.close();
    const second = await reusedDatabase();
    expect(second.url).not.toBe(first.url);
    await second.close();
  },
);
