import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Writes events that applications changed to their provider, in order within each mailbox. One run at a time for each lane: the announcer opens a
 * lane for every 50 due writes, up to eight, so that several workers share a provider. Each step returns counts of outcomes
 * by mailbox.
 */
export const writeEvents: JobFunction = {
  id: "write-events",
  name: "Write events to a provider",
  triggers: [{ event: "almanac/writes.due" }],
  singleton: { key: "event.data.lane", mode: "skip" },
  timeouts: { finish: "75s" },
  retries: 0,
  handler: (run) => inPasses(run, "push"),
};
