import type { Query } from "@/server/db/client";

export const PARTITIONS = 4;

const tables = ["events", "occurrences"];

/**
 * Puts partitioned copies in the place of `events` and `occurrences`, with everything that the two have: columns, defaults, checks, every index,
 * keys, foreign keys and triggers. Their rows are not copied.
 */
export async function partitionByCalendar(query: Query): Promise<void> {
  const [made] = await query<{ sql: string[] }>(
    `SELECT array_agg(sql ORDER BY place) AS sql FROM (
  SELECT 1 AS place, pg_get_functiondef(p.oid) AS sql FROM pg_proc p WHERE proargtypes::text = (SELECT reltype::text FROM pg_class WHERE oid = 'events'::regclass)
  UNION ALL SELECT 2, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = ANY ($1::regclass[]) AND NOT tgisinternal
  UNION ALL SELECT 3, format('ALTER TABLE %s ADD %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE contype = 'f' AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[])) AND conparentid = 0) d`,
    [tables],
  );
  const foreign = await query<{ table: string; name: string }>(
    "SELECT conrelid::regclass::text AS table, conname AS name FROM pg_constraint WHERE contype = 'f' AND confrelid = ANY ($1::regclass[])",
    [tables],
  );
  for (const { table, name } of foreign) await query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const table of tables) {
    await query(`ALTER TABLE ${table} RENAME TO ${table}_whole`);
    await query(`CREATE TABLE ${table} (LIKE ${table}_whole INCLUDING ALL) PARTITION BY HASH (calendar_id)`);
    for (let i = 0; i < PARTITIONS; i++)
      await query(
        `CREATE TABLE ${table}_p${i} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${i})`,
      );
  }
  for (const sql of made?.sql ?? []) await query(sql);
}

/** The partitions of both tables into which `work` looks, or to which it writes, on one connection. */
export async function partitionsTouched(query: Query, work: () => Promise<unknown>): Promise<string[]> {
  const before = await looks(query);
  await work();
  const after = await looks(query);
  return [...after].flatMap(([name, count]) => (count === before.get(name) ? [] : [name])).sort();
}

/** What this connection has not reported yet: of its transaction, and of some before that. */
async function looks(query: Query): Promise<Map<string, string>> {
  const rows = await query<{ name: string; looks: string }>(
    `SELECT relname AS name, seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del AS looks FROM pg_stat_xact_user_tables
WHERE relname ~ '^(events|occurrences)_p\\d+$'`,
  );
  return new Map(rows.map(({ name, looks }) => [name, looks]));
}
