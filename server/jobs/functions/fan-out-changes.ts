import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Turns the changes of the last second, of all accounts, into deliveries. One run at a time. A step's result is the number
 * of deliveries by application.
 */
export const fanOutChanges: JobFunction = {
  id: "fan-out-changes",
  name: "Turn changes into deliveries",
  triggers: [{ event: "almanac/changes.due" }],
  singleton: { mode: "skip" },
  timeouts: { finish: "4m" },
  retries: 0,
  handler: (run) => inPasses(run, "notify"),
};
