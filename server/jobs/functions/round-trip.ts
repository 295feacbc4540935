import { db } from "@/server/db/client";
import { choreDone } from "@/server/jobs/chore-state";
import { APP_ID } from "@/server/jobs/client";
import type { JobFunction } from "@/server/jobs/job-function";

/** The id of its row among the chores. */
export const ROUND_TRIP = "round-trip";

/** The event that begins a run whose only purpose is to come back. */
export const roundTripEvent = { name: `${APP_ID}/${ROUND_TRIP}`, data: {} };

/** Records that a run came back from the Inngest server. */
export const roundTrip: JobFunction = {
  id: ROUND_TRIP,
  name: "Check that runs come back",
  triggers: [{ event: roundTripEvent.name }],
  retries: 0,
  async handler({ step }) {
    await step.run("note", () => choreDone(db(), ROUND_TRIP));
  },
};
