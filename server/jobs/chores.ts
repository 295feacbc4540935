import type { GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { type ChoreId, type ChoreTimes, choreTimes } from "@/server/domain/chores";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { dropOldStaffRows } from "@/server/services/staff/retention";
import { closeVisits } from "@/server/store/accounts/close-visits";
import { eraseApplications } from "@/server/store/applications/erase";
import { deleteUnusedRegistrations } from "@/server/store/applications/unused-registrations";
import { clearExpiredHolds, forgetBookings } from "@/server/store/bookings/forget";
import { continueAll } from "@/server/store/events/continue-series";
import { dropExpiredTokens } from "@/server/store/grants/drop-expired";
import { revokeUnexchanged } from "@/server/store/grants/revoke-unexchanged";
import { dropExpiredRequests } from "@/server/store/request-logs/partitions";
import { dropOldCounts } from "@/server/store/request-logs/request-logs";
import { dropOldDeliveries, prepareDays } from "@/server/webhooks/retention";

export interface Chore extends ChoreTimes {
  /** The function's name on Inngest's pages. */
  name: string;
  /** Does one piece. Returns true when there may be more. */
  work(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean>;
}

const works: Record<ChoreId, Pick<Chore, "name" | "work">> = {
  "erase-deleted-applications": { name: "Erase deleted applications", work: eraseDeleted },
  "clear-expired-holds": { name: "Clear expired holds", work: clearExpiredHolds },
  "revoke-unexchanged": { name: "Revoke accounts that nobody came for", work: inOnePiece(revokeUnexchanged) },
  "close-visits": { name: "Remove calendars of the documentation's visitors", work: inOnePiece(closeVisits) },
  "drop-expired-request-logs": { name: "Drop expired request logs", work: inOnePiece(dropPartitions) },
  "drop-old-request-counts": { name: "Drop old request counts", work: dropOldCounts },
  "drop-expired-tokens": { name: "Drop expired tokens", work: dropExpiredTokens },
  "forget-bookings": { name: "Forget bookings that are over", work: forgetBookings },
  "prepare-delivery-days": { name: "Create partitions for deliveries", work: prepareDays },
  "drop-old-deliveries": { name: "Drop old deliveries", work: dropOldDeliveries },
  "drop-old-staff-rows": { name: "Drop old replays, sessions and invitations", work: dropOldStaffRows },
  "continue-series": { name: "Continue series", work: continueAll },
};

/**
 * Recurring chores, whoever runs the functions. Each is a function of its own, so that processes share them and a
 * failing one does not hold up the others.
 */
export const chores: Readonly<Record<string, Chore>> = Object.fromEntries(
  Object.entries(choreTimes).map(([id, times]) => [id, { ...times, ...works[id as ChoreId] }]),
);

function inOnePiece(work: (db: Database, now: Instant) => Promise<void>): Chore["work"] {
  return async (db, now) => {
    await work(db, now);
    return false;
  };
}

/** Erases what staff deleted, and clients that registered themselves and were never used. */
async function eraseDeleted(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean> {
  await deleteUnusedRegistrations(db, now);
  return await eraseApplications(db, now, goesOn);
}

async function dropPartitions(db: Database, now: Instant): Promise<void> {
  await dropExpiredRequests(db, dayOf(now));
}
