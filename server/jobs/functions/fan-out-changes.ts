import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Creates deliveries for the due changes of all accounts. One run at a time. Each step returns the number of deliveries for
 * each application.
 */
export const fanOutChanges: JobFunction = {
  id: "fan-out-changes",
  name: "Turn changes into deliveries",
  triggers: [{ event: "almanac/changes.due" }],
  singleton: { mode: "skip" },
  timeouts: { finish: "75s" },
  retries: 0,
  handler: (run) => inPasses(run, "notify"),
};
