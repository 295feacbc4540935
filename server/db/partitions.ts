import type { Database, Query } from "@/server/db/client";
import { locks } from "@/server/db/locks";
import { partitionNames } from "@/server/db/partitions.sql";
import { run } from "@/server/db/statement";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";

const LOCK_TIMEOUT = "2s";

/** A table that has a partition for each day, and maybe one of all days before some day and one of what fits no other. */
export interface PartitionedByDay {
  table: "request_logs" | "deliveries_history" | "attempts";
  /** What its partitions' names begin with. */
  prefix: "request_logs" | "deliveries" | "attempts";
  /** How a day begins: as a date, or as an instant. */
  begins: "" | " 00:00Z";
}

/**
 * Creates the partition of a day that has none. Attached rather than created in place: attaching does not lock out those who write to other days.
 * Created in one transaction, so that a process that dies leaves no table behind.
 */
export async function ensureDay(db: Database, partitioned: PartitionedByDay, day: Day): Promise<void> {
  const { table, prefix, begins } = partitioned;
  const name = `${prefix}_${formatDay(day).replaceAll("-", "")}`;
  const bound = (of: Day) => `'${formatDay(of)}${begins}'`;
  await db.transaction(async (query) => {
    const spans = (await namesOf(query, partitioned)).map(spanOf);
    if (spans.some((span) => span !== null && span.from <= day && day < span.to)) return;
    await query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await query(`CREATE TABLE "${name}" (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await query(
      `ALTER TABLE ${table} ATTACH PARTITION "${name}" FOR VALUES FROM (${bound(day)}) TO (${bound((day + 1) as Day)})`,
    );
  }, locks.partitions);
}

/** Drops the partitions all of whose days are before a day, giving their names. Each waits for its locks no longer than two seconds: those who come after it wait too. */
export async function dropDaysBefore(db: Database, partitioned: PartitionedByDay, day: Day): Promise<string[]> {
  const names = await namesOf(db.query, partitioned);
  const over = names.filter((name) => (spanOf(name)?.to ?? Number.POSITIVE_INFINITY) <= day);
  for (const name of over) {
    await db.transaction(async (query) => {
      await query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await query(`DROP TABLE IF EXISTS "${name}"`);
    });
  }
  return over;
}

async function namesOf(query: Query, { table }: PartitionedByDay): Promise<string[]> {
  const rows = await run(query, partitionNames, [table]);
  return rows.map(({ name }) => name);
}

/** Days, the last one excluded. */
interface Span {
  from: number;
  to: number;
}

/**
 * Reads the days of a partition from its name: `…_20260131` holds that day, `…_before_20260131` all days before it.
 * Returns null for the partition of what fits no other.
 */
function spanOf(name: string): Span | null {
  const [, before, year, month, date] = /_(before_)?(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  const day = parseDay(`${year}-${month}-${date}`);
  if (day === null) return null;
  return before === undefined ? { from: day, to: day + 1 } : { from: Number.NEGATIVE_INFINITY, to: day };
}
