import type { Inngest } from "inngest";
import { deliveries } from "@/server/webhooks/dispatcher";

/** Attempts every delivery that is due; when nothing is left to do, a wake-up for the next one is asked for. */
export function deliver(client: Inngest) {
  return client.createFunction(
    { id: "deliver", name: "Deliver notifications", triggers: [{ event: "almanac/deliver" }], retries: 3 },
    async ({ step }) => {
      await step.run("drain", () => deliveries().nudge());
    },
  );
}
