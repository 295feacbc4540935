import { tracing } from "@/server/tracing";

/** Work that drains rows: `notify` turns signals into deliveries, `deliver` sends those that are due, `sync` reads from providers, `push` writes to them, `replay` has deliveries sent again. */
export type Work = "notify" | "deliver" | "sync" | "push" | "replay";

declare global {
  /** Set by the background work of this process. */
  var almanacWake: ((work: Work, afterMs: number) => void) | undefined;
}

/** Says, after a commit, that there are rows to drain, now or so many milliseconds later. It may be lost: rows are found without it too, only later. */
export function wake(work: Work, afterMs = 0): void {
  const trace = tracing();
  if (trace) trace.outside(() => globalThis.almanacWake?.(work, afterMs));
  else globalThis.almanacWake?.(work, afterMs);
}
