import { db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import { choreDone } from "@/server/jobs/chore-state";
import { APP_ID } from "@/server/jobs/client";
import type { JobEvent, JobFunction } from "@/server/jobs/job-function";

/** The id of the round trip's row among the chores. */
export const ROUND_TRIP = "round-trip";

const EVENT = `${APP_ID}/${ROUND_TRIP}`;
/** How many seconds a run may take before the Inngest server counts as away. Slower runs are ignored. */
export const AWAY_AFTER_S = 15;

/** Returns the event that begins a run whose only purpose is to come back. `askedAt`: seconds since 1970, by the database's clock. */
export function roundTripEvent(askedAt: number): JobEvent {
  return { name: EVENT, data: { askedAt } };
}

/** Records that a run came back from the Inngest server in time. One that an operator invokes counts as on time. */
export const roundTrip: JobFunction = {
  id: ROUND_TRIP,
  name: "Check that runs come back",
  triggers: [{ event: EVENT }],
  retries: 0,
  async handler({ event, step }) {
    await step.run("note", async () => {
      const { now } = await runOne(db().query, databaseNow);
      const askedAt = Number(event.data?.askedAt ?? now / 1_000);
      if (now / 1_000 - askedAt <= AWAY_AFTER_S) await choreDone(db(), ROUND_TRIP);
    });
  },
};
