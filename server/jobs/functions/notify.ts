import type { Inngest } from "inngest";
import { db } from "@/server/db/client";
import { fanOut } from "@/server/webhooks/fan-out";

/** Turns signals that are due into deliveries, wakes who sends them, and asks to be woken for the next signal. */
export function notify(client: Inngest) {
  return client.createFunction(
    { id: "notify", name: "Turn signals into deliveries", triggers: [{ event: "almanac/notify" }], retries: 3 },
    async ({ step }) => {
      const { handled, next } = await step.run("fan-out", () => fanOut(db()));
      const wakes = [
        ...(handled > 0 ? [{ name: "almanac/deliver" }] : []),
        ...(next === null ? [] : [{ name: "almanac/notify", id: `notify-${Math.ceil(next)}`, ts: Math.ceil(next) }]),
      ];
      if (wakes.length > 0) await step.sendEvent("wake", wakes);
    },
  );
}
