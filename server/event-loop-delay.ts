import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { context } from "@/server/context";

const LOOK_MS = 500;
/** A process whose event loop was held for so long should get no more requests. */
const STUCK_MS = 2_000;
const REMEMBERED_MS = 5_000;
const LOOK_OFTEN_MS = 5;
const CALM_MS = 50;
const LATE_MS = 10;
const CALM_WITHIN_MS = 1_000;

/** Watches how late timers are in this process. Gives what ends it. */
export function watchEventLoop({ lookMs = LOOK_MS, stuckMs = STUCK_MS } = {}): () => void {
  let due = clock().monotonic() + lookMs;
  const timer = setInterval(() => {
    const now = clock().monotonic();
    if (now - due >= stuckMs) context.stuckAt = now;
    due = now + lookMs;
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Reports whether the event loop was held for too long a few seconds ago. */
export function wasStuck(): boolean {
  const at = context.stuckAt;
  return at !== undefined && clock().monotonic() - at < REMEMBERED_MS;
}

/** Resolves once timers keep their time in this process for `forMs`, and after `withinMs` at the latest. */
export async function calm({ forMs = CALM_MS, lateMs = LATE_MS, withinMs = CALM_WITHIN_MS } = {}): Promise<void> {
  const began = clock().monotonic();
  let since = began;
  for (let now = began; now - since < forMs && now - began < withinMs; ) {
    await wait(LOOK_OFTEN_MS);
    const next = clock().monotonic();
    if (next - now - LOOK_OFTEN_MS > lateMs) since = next;
    now = next;
  }
}
