import { clock } from "@/server/clock";

/**
 * What statements judge due times by: `coalesce($n::timestamptz, clock_timestamp())`. Null: the database's own clock, so that
 * a process whose clock is wrong is neither early nor late. Only a test that put a clock in place has another.
 */
export function databaseTime(): Date | null {
  return globalThis.almanacClock ? new Date(clock().now()) : null;
}
