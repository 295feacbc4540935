import { clock } from "@/server/clock";
import type { Work } from "@/server/db/wake";

const LONGEST_WAIT_MS = 3_600_000;

export interface DirectWakes {
  /** Wakes the work now, or after so many milliseconds. */
  wake(work: Work, afterMs: number): void;
  /** Forgets what was to be woken later. */
  stop(): void;
}

/**
 * Wake-ups that stay in this process, without an event and without a run. Of those for later one per kind is kept, the earliest: who is woken
 * finds all rows and asks for the next time itself.
 */
export function directWakes(nudge: (work: Work) => void): DirectWakes {
  const pending = new Map<Work, { at: number; timer: NodeJS.Timeout }>();
  const later = (work: Work, afterMs: number) => {
    const at = clock().monotonic() + afterMs;
    const known = pending.get(work);
    if (known && known.at <= at) return;
    clearTimeout(known?.timer);
    const ring = () => {
      pending.delete(work);
      nudge(work);
    };
    pending.set(work, { at, timer: setTimeout(ring, Math.min(Math.ceil(afterMs), LONGEST_WAIT_MS)).unref() });
  };
  return {
    wake: (work, afterMs) => (afterMs > 0 ? later(work, afterMs) : nudge(work)),
    stop() {
      for (const { timer } of pending.values()) clearTimeout(timer);
      pending.clear();
    },
  };
}
