import type { Inngest } from "inngest";
import { db } from "@/server/db/client";
import { nextAttemptAt } from "@/server/webhooks/claim";
import { deliveries } from "@/server/webhooks/dispatcher";

/** Attempts every delivery that is due, and asks to be woken for the next one. */
export function deliver(client: Inngest) {
  return client.createFunction(
    { id: "deliver", name: "Deliver notifications", triggers: [{ event: "almanac/deliver" }], retries: 3 },
    async ({ step }) => {
      const next = await step.run("drain", async () => {
        await deliveries().drain();
        return await nextAttemptAt(db());
      });
      if (next === null) return;
      const ts = Math.ceil(next);
      await step.sendEvent("wake-again", { name: "almanac/deliver", id: `deliver-${ts}`, ts });
    },
  );
}
