import type { Inngest } from "inngest";
import { clock } from "@/server/clock";
import type { GoesOn } from "@/server/db/batches";
import { type Database, db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { dropExpiredRequests } from "@/server/db/partitions";
import { dropOldCounts } from "@/server/db/request-logs";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { dropOldStaffRows } from "@/server/services/staff/retention";
import { continueAll } from "@/server/store/events/continue-series";
import { dropExpiredTokens } from "@/server/store/grants/drop-expired";
import { dropOldDeliveries } from "@/server/webhooks/retention";

/** True: a piece is done, and there may be more. */
type Chore = (db: Database, now: Instant, goesOn: GoesOn) => Promise<boolean>;

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
  "drop-old-deliveries": { name: "Drop old deliveries", chore: dropOldDeliveries },
  "drop-old-staff-rows": { name: "Drop old replays and sessions", chore: dropOldStaffRows },
  "continue-series": { name: "Continue series", chore: continueAll },
};

async function dropPartitions(db: Database, now: Instant): Promise<boolean> {
  await dropExpiredRequests(db, dayOf(now));
  return false;
}

/** A piece ends soon after so long. Any process may do the next one. */
const PIECE_MS = 15_000;
/** What is left then is done in the next night. A run has a thousand steps at most. */
const MOST_PIECES = 900;

/**
 * Once a day: what has expired goes, and series reach further. Each chore is a function of its own, so that processes share them and one
 * that fails keeps nothing from the others. It is done in pieces, each of which is tried again by itself when it fails.
 */
export function daily(client: Inngest) {
  return Object.entries(chores).map(([id, { name, chore }]) =>
    client.createFunction({ id, name, triggers: [{ cron: "17 3 * * *" }], retries: 5 }, async ({ step }) => {
      for (let piece = 1; piece <= MOST_PIECES; piece++) {
        const isLeft = await step.run(`piece ${piece}`, async () => {
          const ends = clock().monotonic() + PIECE_MS;
          return await chore(db(), await timeOf(db()), () => clock().monotonic() < ends);
        });
        if (!isLeft) return;
      }
    }),
  );
}

/** What is dropped is judged by the database's clock: one process whose own is wrong must not drop what others still use. */
async function timeOf(db: Database): Promise<Instant> {
  const row = await runOne(db.query, databaseNow);
  return row.now as Instant;
}
