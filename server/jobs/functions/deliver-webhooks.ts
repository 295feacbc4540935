import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Delivers an application's due webhooks concurrently, first attempts and retries. One run at a time for each application.
 * Each step is a pass of up to 15 s, and returns counts of outcomes by host.
 */
export const deliverWebhooks: JobFunction = {
  id: "deliver-webhooks",
  name: "Deliver webhooks",
  triggers: [{ event: "almanac/deliveries.due" }],
  singleton: { key: "event.data.application", mode: "skip" },
  timeouts: { finish: "75s" },
  retries: 0,
  handler: (run) => inPasses(run, "deliver"),
};
