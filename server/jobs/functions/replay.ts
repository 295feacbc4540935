import type { Inngest } from "inngest";
import { db } from "@/server/db/client";
import { workReplays } from "@/server/services/staff/deliveries/replays/work";

/** Goes on with the replays that staff started, wakes who sends what they made due, and asks to be woken for the next piece. */
export function replay(client: Inngest) {
  return client.createFunction(
    { id: "replay", name: "Send deliveries again", triggers: [{ event: "almanac/replay" }], retries: 3 },
    async ({ step }) => {
      const next = await step.run("work", () => workReplays(db()));
      if (next !== null) await step.sendEvent("wake", { name: "almanac/replay", id: `replay-${next}`, ts: next });
    },
  );
}
