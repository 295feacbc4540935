import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/** Continues bulk retries that no `bulk-retry` run is working on. One run at a time. Each step is a pass of up to 15 s. */
export const continueBulkRetries: JobFunction = {
  id: "continue-bulk-retries",
  name: "Continue bulk retries",
  triggers: [{ event: "almanac/bulk-retries.due" }],
  singleton: { mode: "skip" },
  timeouts: { finish: "75s" },
  retries: 0,
  handler: (run) => inPasses(run, "replay"),
};
