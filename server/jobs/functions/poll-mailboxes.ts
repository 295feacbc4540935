import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Reads a provider's mailboxes that are due, beside each other: after a notice, for staff, or because it is time to poll.
 * One run at a time for each provider. A step's result is what came of it, by mailbox.
 */
export const pollMailboxes: JobFunction = {
  id: "poll-mailboxes",
  name: "Read mailboxes of a provider",
  triggers: [{ event: "almanac/mailboxes.due" }],
  singleton: { key: "event.data.provider", mode: "skip" },
  retries: 0,
  handler: ({ event, step }) => inPasses(step, "sync", event.data?.provider),
};
