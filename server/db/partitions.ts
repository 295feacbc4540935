import type { Database, Query } from "@/server/db/client";
import { locks } from "@/server/db/locks";
import { partitionNames } from "@/server/db/request-logs.sql";
import { run } from "@/server/db/statement";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";

const LOCK_TIMEOUT = "2s";
const known = new Set<string>();

/** Makes the next `ensurePartition` of each day look again: a process whose clock is ahead has dropped one that this one created. */
export function forgetPartitions(): void {
  known.clear();
}

/** Attached rather than created in place: attaching does not lock out those who write to other days. */
export async function ensurePartition(db: Database, expiresOn: string): Promise<void> {
  if (known.has(expiresOn)) return;
  const name = `request_logs_${expiresOn.replaceAll("-", "")}`;
  const next = formatDay(((parseDay(expiresOn) ?? 0) + 1) as Day);
  await db.transaction(async (query) => {
    if ((await partitions(query)).includes(name)) return;
    await query(`CREATE TABLE "${name}" (LIKE request_logs INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
    await query(`ALTER TABLE request_logs ATTACH PARTITION "${name}" FOR VALUES FROM ('${expiresOn}') TO ('${next}')`);
  }, locks.requestLogPartitions);
  known.add(expiresOn);
}

/** Drops the partitions whose day is over, giving their names. Requests never wait: only the log's own writer touches them. */
export async function dropExpiredRequests(db: Database, today: Day): Promise<string[]> {
  const dropped: string[] = [];
  for (const name of await partitions(db.query)) {
    const expires = parseDay(name.replace(/^request_logs_(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"));
    if (expires === null || expires >= today) continue;
    await db.transaction(async (query) => {
      await query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
      await query(`DROP TABLE IF EXISTS "${name}"`);
    });
    known.delete(formatDay(expires));
    dropped.push(name);
  }
  return dropped;
}

async function partitions(query: Query): Promise<string[]> {
  const rows = await run(query, partitionNames);
  return rows.map(({ name }) => name);
}
