import type { GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { dropExpiredRequests } from "@/server/db/request-log-partitions";
import { dropOldCounts } from "@/server/db/request-logs";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { dropOldStaffRows } from "@/server/services/staff/retention";
import { closeVisits } from "@/server/store/accounts/close-visits";
import { eraseApplications } from "@/server/store/applications/erase";
import { continueAll } from "@/server/store/events/continue-series";
import { dropExpiredTokens } from "@/server/store/grants/drop-expired";
import { revokeUnexchanged } from "@/server/store/grants/revoke-unexchanged";
import { dropOldDeliveries, prepareDays } from "@/server/webhooks/retention";

export interface Chore {
  /** As Inngest's pages show the function. */
  name: string;
  cron: string;
  /** The interval of the cron. */
  everyS: number;
  /** Does a piece of it. True: there may be more. */
  work(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean>;
}

const fiveMinutes = { cron: "*/5 * * * *", everyS: 300 };
const hourly = { cron: "41 * * * *", everyS: 3_600 };
const nightly = { cron: "17 3 * * *", everyS: 86_400 };

/**
 * What is done again and again, whoever drives the functions: each is a function of its own, so that processes share them and one that fails
 * keeps nothing from the others. What must not wait for the night are credentials that nobody came for, and applications that staff deleted:
 * their access ended with the click.
 */
export const chores: Record<string, Chore> = {
  "erase-deleted-applications": { name: "Erase deleted applications", ...fiveMinutes, work: eraseApplications },
  "revoke-unexchanged": { name: "Revoke accounts that nobody came for", ...hourly, work: atOnce(revokeUnexchanged) },
  "close-visits": { name: "Remove calendars of the documentation's visitors", ...hourly, work: atOnce(closeVisits) },
  "drop-expired-request-logs": { name: "Drop expired request logs", ...nightly, work: atOnce(dropPartitions) },
  "drop-old-request-counts": { name: "Drop old request counts", ...nightly, work: dropOldCounts },
  "drop-expired-tokens": { name: "Drop expired tokens", ...nightly, work: dropExpiredTokens },
  "prepare-delivery-days": { name: "Create partitions for deliveries", ...nightly, work: prepareDays },
  "drop-old-deliveries": { name: "Drop old deliveries", ...nightly, work: dropOldDeliveries },
  "drop-old-staff-rows": { name: "Drop old replays, sessions and invitations", ...nightly, work: dropOldStaffRows },
  "continue-series": { name: "Continue series", ...nightly, work: continueAll },
};

function atOnce(work: (db: Database, now: Instant) => Promise<void>): Chore["work"] {
  return async (db, now) => {
    await work(db, now);
    return false;
  };
}

async function dropPartitions(db: Database, now: Instant): Promise<void> {
  await dropExpiredRequests(db, dayOf(now));
}
