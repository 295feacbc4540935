import type { Inngest } from "inngest";
import { pushing } from "@/server/jobs/provider-work";

/** Tells providers of every event that is due; when nothing is left to do, a wake-up for the next one is asked for. */
export function push(client: Inngest) {
  return client.createFunction(
    { id: "push", name: "Write to providers", triggers: [{ event: "almanac/push" }], retries: 3 },
    async ({ step }) => {
      await step.run("drain", () => pushing().nudge());
    },
  );
}
