import type { Inngest } from "inngest";
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

type Chore = (db: Database, now: Instant) => Promise<unknown>;

/** What can be late: reads continue series themselves, and what has expired is no longer valid. */
const chores: Record<string, Chore> = {
  "drop-expired-request-logs": (db, now) => dropExpiredRequests(db, dayOf(now)),
  "drop-old-request-counts": dropOldCounts,
  "drop-expired-tokens": dropExpiredTokens,
  "drop-old-deliveries": dropOldDeliveries,
  "drop-old-staff-rows": dropOldStaffRows,
  "continue-series": continueAll,
};

/** Once a day: what has expired goes, and series reach further. Each chore is tried again by itself when it fails. */
export function daily(client: Inngest) {
  return client.createFunction(
    { id: "daily", name: "The day's chores", triggers: [{ cron: "17 3 * * *" }], retries: 5 },
    async ({ step }) => {
      for (const [name, chore] of Object.entries(chores)) {
        await step.run(name, async () => {
          await chore(db(), await timeOf(db()));
        });
      }
    },
  );
}

/** What is dropped is judged by the database's clock: one process whose own is wrong must not drop what others still use. */
async function timeOf(db: Database): Promise<Instant> {
  const row = await runOne(db.query, databaseNow);
  return row.now as Instant;
}
