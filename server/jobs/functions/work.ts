import type { JobFunction } from "@/server/jobs/job-function";
import { sweep } from "@/server/jobs/sweep";
import { loopOf, workKinds, works } from "@/server/jobs/work-kinds";

/** Finds due rows without a wake-up. */
export const sweepFunction: JobFunction = {
  id: "sweep",
  name: "Find forgotten work",
  triggers: [{ cron: "* * * * *" }],
  retries: 0,
  async handler({ step }) {
    await step.run("sweep", sweep);
  },
};

/**
 * One function for each kind of work, which an operator can invoke to wake the loop. Processes of the previous version
 * send its event.
 */
export const drainFunctions: readonly JobFunction[] = works.map((work) => ({
  id: work,
  name: workKinds[work].title,
  triggers: [{ event: `almanac/${work}` }],
  retries: 3,
  async handler({ step }) {
    await step.run("drain", () => loopOf(work).nudge());
  },
}));
