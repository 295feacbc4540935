import { clock } from "@/server/clock";

/** A timer that comes so late says that this process stood still. */
const STOOD_STILL_MS = 50;
const MOST_GRACE_MS = 1_000;

/**
 * Calls `over` after so many milliseconds unless what it returns is called first. Where this process stood still until later, timers come before
 * what has arrived in its sockets, and a receiver that answered in time would count as silent: so it gets as long again as the timer was late, a
 * second at most.
 */
export function deadline(ms: number, over: () => void): () => void {
  const due = clock().monotonic() + ms;
  let timer = setTimeout(() => {
    const lateMs = clock().monotonic() - due;
    if (lateMs < STOOD_STILL_MS) over();
    else timer = setTimeout(over, Math.min(lateMs, MOST_GRACE_MS));
  }, ms);
  return () => clearTimeout(timer);
}
