import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Reads a provider's mailboxes that are due, beside each other: after a notice, for staff, or because it is time to poll.
 * A provider has a lane for each fifty that
 * are due, up to eight, and a lane one run at a time. A step's result is what came of it, by mailbox.
 */
export const pollMailboxes: JobFunction = {
  id: "poll-mailboxes",
  name: "Read mailboxes of a provider",
  triggers: [{ event: "almanac/mailboxes.due" }],
  singleton: { key: "event.data.lane", mode: "skip" },
  timeouts: { finish: "4m" },
  retries: 0,
  handler: (run) => inPasses(run, "sync"),
};
