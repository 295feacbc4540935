import { dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { databaseFault } from "@/server/db/faults";
import { dropDaysBefore, ensureDay, type PartitionedByDay } from "@/server/db/partitions";
import { FEED_MEMORY_MS } from "@/server/domain/limits";
import { DELIVERIES_KEPT_DAYS } from "@/server/domain/retention";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { dropEventChanges } from "@/server/store/changes/changes.sql";
import { dropFirings } from "@/server/webhooks/firing.sql";
import { dropDeliveries, dropHosts, dropSeenChanges } from "@/server/webhooks/outcomes.sql";

const DAY_MS = 86_400_000;
/**
 * How many nights may fail before a day has no partition. Rows without one stay in the last one, and are deleted from
 * there.
 */
const DAYS_AHEAD = 3;

/** Partitioned by the day on which a delivery was created, or an attempt began (ADR 57). */
export const partitioned: readonly PartitionedByDay[] = [
  { table: "deliveries_history", prefix: "deliveries", begins: " 00:00Z" },
  { table: "attempts", prefix: "attempts", begins: " 00:00Z" },
];

/** Creates the partitions of the next days. */
export async function prepareDays(db: Database, now: Instant): Promise<boolean> {
  const today = dayOf(now);
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    for (const one of partitioned) await unlessBegun(() => ensureDay(db, one, (today + ahead) as Day));
  }
  return false;
}

/** Creates a partition, unless its day already has rows in the last partition: they stay there. */
async function unlessBegun(create: () => Promise<void>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (databaseFault(error) !== "check_violation") throw error;
  }
}

/**
 * Drops the days of deliveries and attempts that ended 30 days ago. Deletes what is in no partition of its day: rows
 * from before the partitions, rows held that long, and rows that staff retried. One that they are retrying is deleted
 * afterwards. Also forgets hosts that nothing was sent to, changes that were seen as long ago, and what no cursor of the feed can ask for any more.
 * Returns true after a piece of the work, when there may be more.
 */
export async function dropOldDeliveries(db: Database, now: Instant, goesOn: GoesOn = () => true): Promise<boolean> {
  const before = new Date(now - DELIVERIES_KEPT_DAYS * DAY_MS);
  const day = (dayOf(now) - DELIVERIES_KEPT_DAYS) as Day;
  for (const one of partitioned) await dropDaysBefore(db, one, day);
  return await dropBatches({ query: db.query, goesOn }, [
    [dropHosts, before],
    [dropDeliveries, new Date(day * DAY_MS)],
    [dropSeenChanges, before],
    [dropFirings, before],
    [dropEventChanges, new Date(now - FEED_MEMORY_MS - DAY_MS)],
  ]);
}
