import type { Inngest } from "inngest";
import { syncing } from "@/server/jobs/provider-work";

/** Syncs every profile that is due; when nothing is left to do, a wake-up for the next one is asked for. */
export function sync(client: Inngest) {
  return client.createFunction(
    { id: "sync", name: "Read from providers", triggers: [{ event: "almanac/sync" }], retries: 3 },
    async ({ step }) => {
      await step.run("drain", () => syncing().nudge());
    },
  );
}
