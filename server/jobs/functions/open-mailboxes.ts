import type { JobFunction } from "@/server/jobs/job-function";
import { inPasses } from "@/server/jobs/passes";

/**
 * Opens the mailboxes of organizations that applications have asked for, and tells their callback URLs. One run at a
 * time. Each step returns counts of outcomes by application.
 */
export const openMailboxes: JobFunction = {
  id: "open-mailboxes",
  name: "Open mailboxes of organizations",
  triggers: [{ event: "almanac/authorizations.due" }],
  singleton: { mode: "skip" },
  timeouts: { finish: "75s" },
  retries: 0,
  handler: (run) => inPasses(run, "authorize"),
};
