import { env } from "@/server/env";
import { failingEndpoints } from "@/server/services/staff/overview/failing-endpoints";
import { backgroundNow, deliveriesNow, requestsNow, throttledNow } from "@/server/services/staff/overview/figures";
import { mailboxesNow } from "@/server/services/staff/overview/mailboxes";
import type { Overview } from "@/server/services/staff/overview/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Reads the current state of the service, or of a developer's applications: all from counts and partial indexes. */
export const showOverview = scopedProcedure.query(async ({ ctx: { db, now, scope } }): Promise<Overview> => {
  const within = scope.applications;
  const [requestsPerMinute, throttledApplications, deliveries, failing, mailboxes, background] = await Promise.all([
    requestsNow(db.query, now, within),
    throttledNow(db.query, now, within),
    deliveriesNow(db.query, now, within),
    failingEndpoints(db.query, now, within),
    mailboxesNow(db.query, now, within),
    within === null ? backgroundNow(db, now) : null,
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
    background: background && { engine: env().INNGEST_EVENT_KEY ? "inngest" : "embedded", ...background },
  };
});
