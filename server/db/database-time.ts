import { clock } from "@/server/clock";
import { context } from "@/server/context";

/**
 * Gives what statements judge due times by: `coalesce($n::timestamptz, clock_timestamp())`. Null: the database's own clock, so that
 * a process whose clock is wrong is neither early nor late. Only a test that put a clock in place has another.
 */
export function databaseTime(): Date | null {
  return context.clock ? new Date(clock().now()) : null;
}

/** Writes SQL for the milliseconds from one time to a later one. */
export function waited(now: string, since: string): string {
  return `(date_part('epoch', ${now} - ${since}) * 1000)::float8`;
}
