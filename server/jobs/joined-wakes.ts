import { clock } from "@/server/clock";
import type { Work } from "@/server/db/wake";

interface PendingWake {
  isSending: boolean;
  again: boolean;
  /** The time, on the monotonic clock, of the last scheduled wake-up that was sent. */
  laterAt: number;
}

const NEAR_MS = 250;

/**
 * Sends wake-ups to other processes. Sends one at a time for the same work, and one more if another came in the
 * meantime; of scheduled wake-ups only the first, because a woken loop finds all rows and schedules the next time
 * itself.
 */
export function joinedWakes(
  send: (work: Work, afterMs: number) => Promise<void>,
): (work: Work, afterMs: number) => void {
  const state = new Map<Work, PendingWake>();
  const of = (work: Work) => {
    const known = state.get(work) ?? { isSending: false, again: false, laterAt: Number.NEGATIVE_INFINITY };
    state.set(work, known);
    return known;
  };
  const now = async (work: Work, pending: PendingWake) => {
    pending.isSending = true;
    do {
      pending.again = false;
      await send(work, 0);
    } while (pending.again);
    pending.isSending = false;
  };
  return (work, afterMs) => {
    const pending = of(work);
    if (afterMs > 0) {
      const current = clock().monotonic();
      // A wake-up that is almost due may have reached a process slightly too early.
      if (pending.laterAt > current + NEAR_MS && pending.laterAt <= current + afterMs) return;
      pending.laterAt = current + afterMs;
      void send(work, afterMs);
    } else if (pending.isSending) pending.again = true;
    else void now(work, pending);
  };
}
