import type { Inngest } from "inngest";
import type { Database } from "@/server/db/client";
import { dropExpiredRequests } from "@/server/db/request-log-partitions";
import { dropOldCounts } from "@/server/db/request-logs";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { type Chore, inPieces } from "@/server/jobs/functions/pieces";
import { dropOldStaffRows } from "@/server/services/staff/retention";
import { continueAll } from "@/server/store/events/continue-series";
import { dropExpiredTokens } from "@/server/store/grants/drop-expired";
import { dropOldDeliveries, prepareDays } from "@/server/webhooks/retention";

const NIGHTLY = "17 3 * * *";

interface DailyChore {
  /** As Inngest's pages show the function. */
  name: string;
  chore: Chore;
}

/** What can be late: reads continue series themselves, and what has expired is no longer valid. */
const chores: Record<string, DailyChore> = {
  "drop-expired-request-logs": {
    name: "Drop expired request logs",
    chore: dropPartitions,
  },
  "drop-old-request-counts": { name: "Drop old request counts", chore: dropOldCounts },
  "drop-expired-tokens": { name: "Drop expired tokens", chore: dropExpiredTokens },
  "prepare-delivery-days": { name: "Create partitions for deliveries", chore: prepareDays },
  "drop-old-deliveries": { name: "Drop old deliveries", chore: dropOldDeliveries },
  "drop-old-staff-rows": { name: "Drop old replays, sessions and invitations", chore: dropOldStaffRows },
  "continue-series": { name: "Continue series", chore: continueAll },
};

async function dropPartitions(db: Database, now: Instant): Promise<boolean> {
  await dropExpiredRequests(db, dayOf(now));
  return false;
}

/**
 * Once a day: what has expired goes, and series reach further. Each chore is a function of its own, so that processes share them and one
 * that fails keeps nothing from the others. It is done in pieces, each of which is tried again by itself when it fails.
 */
export function daily(client: Inngest) {
  return Object.entries(chores).map(([id, { name, chore }]) => inPieces(client, { id, name, cron: NIGHTLY, chore }));
}
