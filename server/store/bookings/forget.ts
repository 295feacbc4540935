import { dropAll, dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { clearHolds, dropBookings, dropTimes } from "@/server/store/bookings/forget.sql";

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

/** Forgets the events of holds that have expired. Returns true after a piece, when there may be more. */
export async function clearExpiredHolds(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean> {
  return await dropAll((most) => runOne(db.query, clearHolds, [new Date(now), most]), goesOn);
}

/**
 * Forgets whose time bookings took that were over a day ago, and the bookings themselves a month after. Returns true
 * after a piece, when there may be more.
 */
export async function forgetBookings(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean> {
  return await dropBatches({ query: db.query, goesOn }, [
    [dropTimes, new Date(now - DAY_MS)],
    [dropBookings, new Date(now - KEPT_DAYS * DAY_MS)],
  ]);
}
