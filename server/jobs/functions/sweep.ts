import type { Inngest } from "inngest";
import { sweep } from "@/server/jobs/sweep";

/** Finds due rows that nobody woke anybody for. */
export function sweepEveryMinute(client: Inngest) {
  return client.createFunction(
    { id: "sweep", name: "Find forgotten work", triggers: [{ cron: "* * * * *" }], retries: 0 },
    async ({ step }) => {
      await step.run("sweep", sweep);
    },
  );
}
