import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Writes the events that applications changed to a provider, each mailbox in order. One run at a time for each provider. A
 * step's result is what came of it, by mailbox.
 */
export const writeEvents: JobFunction = {
  id: "write-events",
  name: "Write events to a provider",
  triggers: [{ event: "almanac/writes.due" }],
  singleton: { key: "event.data.provider", mode: "skip" },
  retries: 0,
  handler: ({ event, step }) => inPasses(step, "push", event.data?.provider),
};
