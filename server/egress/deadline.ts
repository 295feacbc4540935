import { clock } from "@/server/clock";

/** A timer this late shows that the process stood still. */
const STOOD_STILL_MS = 50;
const MOST_GRACE_MS = 1_000;

export interface Deadline {
  /** Milliseconds until then, at least 1. */
  left(): number;
  cancel(): void;
}

/**
 * Calls `over` after so many milliseconds unless it is cancelled first. If this process stood still until later, timers
 * come before what has arrived in its sockets, and a receiver that responded in time would count as silent: so it gets
 * as long again as the timer was late, at most a second.
 */
export function deadline(ms: number, over: () => void): Deadline {
  let due = clock().monotonic() + ms;
  const grace = () => {
    const lateMs = clock().monotonic() - due;
    return lateMs < STOOD_STILL_MS ? 0 : Math.min(lateMs, MOST_GRACE_MS);
  };
  let timer = setTimeout(() => {
    const more = grace();
    if (more === 0) return over();
    due = clock().monotonic() + more;
    timer = setTimeout(over, more);
  }, ms);
  return {
    left: () => Math.max(1, due - clock().monotonic(), grace()),
    cancel: () => clearTimeout(timer),
  };
}
