import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Sends an application's due webhooks, first attempts and retries, beside each other. One run at a time for each
 * application. A step's result is what came of the attempts, by host.
 */
export const deliverWebhooks: JobFunction = {
  id: "deliver-webhooks",
  name: "Deliver webhooks",
  triggers: [{ event: "almanac/deliveries.due" }],
  singleton: { key: "event.data.application", mode: "skip" },
  timeouts: { finish: "4m" },
  retries: 0,
  handler: (run) => inPasses(run, "deliver"),
};
