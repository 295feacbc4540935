import { context } from "@/server/context";
import { tracing } from "@/server/tracing";

/** Work that drains rows: `notify` turns signals into deliveries, `deliver` sends those that are due, `sync` reads from providers, `push` writes to them, `replay` has deliveries sent again, `authorize` opens mailboxes of organizations. */
export type Work = "notify" | "deliver" | "sync" | "push" | "replay" | "authorize";

/**
 * Announces after a commit that there are rows to drain, now or `afterMs` milliseconds later. The notice may be lost:
 * rows are found without it too, only later.
 */
export function wake(work: Work, afterMs = 0): void {
  outside(() => context.wake?.(work, afterMs));
}

/**
 * Announces after a commit that a bulk retry was started. An Inngest server's dashboard shows it as one run (ADR 60).
 */
export function wakeBulkRetry(id: string): void {
  if (context.wakeBulkRetry) outside(() => context.wakeBulkRetry?.(id));
  else wake("replay");
}

function outside(call: () => void): void {
  const trace = tracing();
  if (trace) trace.outside(call);
  else call();
}
