import { clock } from "@/server/clock";
import type { Work } from "@/server/db/wake";

const LONGEST_WAIT_MS = 3_600_000;

export interface DirectWakes {
  /** Wakes the work now, or after that many milliseconds. */
  wake(work: Work, afterMs: number): void;
  /** Drops the wake-ups that are scheduled for later. */
  stop(): void;
}

/**
 * Creates wake-ups that stay in this process, without an event or a run. Keeps only the earliest scheduled wake-up of
 * each kind, because a woken loop finds all rows and schedules the next time itself.
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
