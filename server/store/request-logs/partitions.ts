import type { Database } from "@/server/db/client";
import { dropDaysBefore, ensureDay, type PartitionedByDay } from "@/server/db/partitions";
import type { Day } from "@/server/domain/time/day";

/** Partitioned by the day on which the rows expire (ADR 7). */
const requestLogs: PartitionedByDay = { table: "request_logs", prefix: "request_logs", begins: "" };
const known = new Set<Day>();

/** Makes the next `ensurePartition` of each day look again: a process whose clock is ahead has dropped one that this one created. */
export function forgetPartitions(): void {
  known.clear();
}

export async function ensurePartition(db: Database, expiresOn: Day): Promise<void> {
  if (known.has(expiresOn)) return;
  await ensureDay(db, requestLogs, expiresOn);
  known.add(expiresOn);
}

/** Drops the partitions whose day is over and returns their names. Requests never wait: only the log's own writer uses them. */
export async function dropExpiredRequests(db: Database, today: Day): Promise<string[]> {
  const dropped = await dropDaysBefore(db, requestLogs, today);
  if (dropped.length > 0) forgetPartitions();
  return dropped;
}
