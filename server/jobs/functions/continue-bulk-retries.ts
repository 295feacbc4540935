import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/** Goes on with the bulk retries of staff that no run of `bulk-retry` goes on with. One run at a time. */
export const continueBulkRetries: JobFunction = {
  id: "continue-bulk-retries",
  name: "Go on with bulk retries",
  triggers: [{ event: "almanac/bulk-retries.due" }],
  singleton: { mode: "skip" },
  timeouts: { finish: "4m" },
  retries: 0,
  handler: (run) => inPasses(run, "replay"),
};
