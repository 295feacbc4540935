import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Writes the events that applications changed to a provider, each mailbox in order. A provider has a lane for each fifty that
 * are due, up to eight, and a lane one run at a time. A
 * step's result is what came of it, by mailbox.
 */
export const writeEvents: JobFunction = {
  id: "write-events",
  name: "Write events to a provider",
  triggers: [{ event: "almanac/writes.due" }],
  singleton: { key: "event.data.lane", mode: "skip" },
  timeouts: { finish: "4m" },
  retries: 0,
  handler: (run) => inPasses(run, "push"),
};
