import type { Database } from "@/server/db/client";
import type { Row } from "@/tests/rig/results";

/** Bytes of a row with its indexes and what is stored apart from it, as a full table has them. Partitions count as their table. */
export async function sizeRows(db: Database, tables: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const table of tables) {
    await db.query(`VACUUM FULL ${table}`);
    const [size] = await db.query<{ n: number; heap: number; indexes: number }>(
      `SELECT (SELECT count(*)::int FROM ${table}) AS n, sum(pg_table_size(relid))::float8 AS heap, sum(pg_indexes_size(relid))::float8 AS indexes
FROM (SELECT '${table}'::regclass AS relid UNION SELECT relid FROM pg_partition_tree('${table}')) parts`,
    );
    const { n, heap, indexes } = size ?? { n: 0, heap: 0, indexes: 0 };
    const each = (bytes: number) => `${(bytes / n).toFixed(0)} bytes`;
    rows.push({
      what: `a row of ${table}`,
      measured: `${each(heap)} and ${each(indexes)} of indexes (${n} rows)`,
      limit: "",
      ok: n > 0,
    });
  }
  return rows;
}
