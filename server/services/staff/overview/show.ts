import { env } from "@/server/env";
import { failingEndpoints } from "@/server/services/staff/overview/failing-endpoints";
import { backgroundNow, deliveriesNow, requestsNow, throttledNow } from "@/server/services/staff/overview/figures";
import { mailboxesNow } from "@/server/services/staff/overview/mailboxes";
import type { Overview } from "@/server/services/staff/overview/shapes";
import { staffProcedure } from "@/server/services/staff/procedure/trpc";

/** How the service is doing now, all from counts and partial indexes. */
export const showOverview = staffProcedure.query(async ({ ctx: { db, now } }): Promise<Overview> => {
  const [requestsPerMinute, throttledApplications, deliveries, failing, mailboxes, background] = await Promise.all([
    requestsNow(db.query, now),
    throttledNow(db.query, now),
    deliveriesNow(db.query, now),
    failingEndpoints(db.query),
    mailboxesNow(db.query, now),
    backgroundNow(db.query, now),
  ]);
  const count = requestsPerMinute.reduce((sum, minute) => sum + minute.count, 0);
  const errors = requestsPerMinute.reduce((sum, minute) => sum + minute.errors, 0);
  return {
    requestsPerMinute,
    errorRate: count === 0 ? 0 : errors / count,
    throttledApplications,
    deliveries,
    failingEndpoints: failing,
    mailboxes,
    background: { executor: env().INNGEST_EVENT_KEY ? "inngest" : "embedded", ...background },
  };
});
