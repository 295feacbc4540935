import { clock } from "@/server/clock";
import type { Work } from "@/server/db/wake";
import { joinedWakes } from "@/server/jobs/joined-wakes";

export interface WakeEvent {
  name: string;
  ts?: number;
}

let aheadMs = 0;

/** Keeps how far the database's clock is ahead of ours: times of events are judged by the database's. In milliseconds since 1970. */
export function noteDatabaseTime(now: number): void {
  aheadMs = now - clock().now();
}

/** Sends wake-ups as events. */
export function wakeEvents(send: (event: WakeEvent) => Promise<void>): (work: Work, afterMs: number) => void {
  return joinedWakes((work, afterMs) => {
    const name = `almanac/${work}`;
    return send(afterMs > 0 ? { name, ts: Math.ceil(clock().now() + aheadMs + afterMs) } : { name });
  });
}
