import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Reads a provider's due mailboxes concurrently: after a notice, when staff ask for it, or when a poll is due. One run at a time for each lane: the announcer opens a
 * lane for every 50 due mailboxes, up to eight, so that several workers share a provider. Each step returns counts of outcomes
 * by mailbox.
 */
export const pollMailboxes: JobFunction = {
  id: "poll-mailboxes",
  name: "Sync a provider's profiles",
  triggers: [{ event: "almanac/mailboxes.due" }],
  singleton: { key: "event.data.lane", mode: "skip" },
  timeouts: { finish: "75s" },
  retries: 0,
  handler: (run) => inPasses(run, "sync"),
};
