import { clock } from "@/server/clock";
import type { Work } from "@/server/db/wake";

interface Pending {
  isSending: boolean;
  again: boolean;
  /** The time, on the monotonic clock, of the last wake-up that was sent for later. */
  laterAt: number;
}

const NEAR_MS = 250;

/**
 * Sends wake-ups to other processes. Of those for the same work one at a time is under way, and one that comes in the meantime makes it be
 * sent once more; of those for later only the first: who is woken finds all rows and asks for the next time itself.
 */
export function joinedWakes(
  send: (work: Work, afterMs: number) => Promise<void>,
): (work: Work, afterMs: number) => void {
  const state = new Map<Work, Pending>();
  const of = (work: Work) => {
    const known = state.get(work) ?? { isSending: false, again: false, laterAt: Number.NEGATIVE_INFINITY };
    state.set(work, known);
    return known;
  };
  const now = async (work: Work, pending: Pending) => {
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
      // One that is all but due may have woken somebody already who came a little too early.
      if (pending.laterAt > current + NEAR_MS && pending.laterAt <= current + afterMs) return;
      pending.laterAt = current + afterMs;
      void send(work, afterMs);
    } else if (pending.isSending) pending.again = true;
    else void now(work, pending);
  };
}
