import type { Inngest } from "inngest";
import { db } from "@/server/db/client";
import { choreDone } from "@/server/jobs/chore-state";
import { APP_ID } from "@/server/jobs/client";

/** Its row is among those of the chores. */
export const ROUND_TRIP = "round-trip";

/** The event that begins a run that does nothing but come back. */
export const roundTripEvent = { name: `${APP_ID}/${ROUND_TRIP}`, data: {} };

/** Notes that a run has come back from the Inngest server. */
export function roundTrip(client: Inngest) {
  return client.createFunction(
    { id: ROUND_TRIP, name: "Check that runs come back", triggers: [{ event: roundTripEvent.name }], retries: 0 },
    async ({ step }) => {
      await step.run("note", () => choreDone(db(), ROUND_TRIP));
    },
  );
}
