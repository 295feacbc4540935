import type { JobFunction } from "@/server/jobs/job-function";
import { sweep } from "@/server/jobs/sweep";

/** Finds due rows whose wake-up was lost, and wakes their work, every minute. */
export const sweepFunction: JobFunction = {
  id: "sweep",
  name: "Find forgotten work",
  triggers: [{ cron: "* * * * *" }],
  retries: 0,
  async handler({ step }) {
    await step.run("sweep", sweep);
  },
};
