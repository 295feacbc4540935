import { tracing } from "@/server/tracing";

/** Work that drains rows: `notify` turns signals into deliveries, `deliver` sends those that are due, `sync` reads from providers, `push` writes to them, `replay` has deliveries sent again. */
export type Work = "notify" | "deliver" | "sync" | "push" | "replay";

declare global {
  /** Set by the background work of this process. */
  var almanacWake: ((work: Work, afterMs: number) => void) | undefined;
  /** Set where an Inngest server drives the background work: begins a run of its own for a bulk retry. */
  var almanacBulkRetry: ((id: string) => void) | undefined;
}

/** Says, after a commit, that there are rows to drain, now or so many milliseconds later. It may be lost: rows are found without it too, only later. */
export function wake(work: Work, afterMs = 0): void {
  outside(() => globalThis.almanacWake?.(work, afterMs));
}

/** The same of a bulk retry that was started. An Inngest server's dashboard shows it as one run (ADR 60). */
export function wakeBulkRetry(id: string): void {
  if (globalThis.almanacBulkRetry) outside(() => globalThis.almanacBulkRetry?.(id));
  else wake("replay");
}

function outside(call: () => void): void {
  const trace = tracing();
  if (trace) trace.outside(call);
  else call();
}
