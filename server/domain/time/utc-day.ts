import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";

const DAY_MS = 86_400_000;

/** Returns the date of an instant in UTC. */
export function dayOf(instant: Instant): Day {
  return Math.floor(instant / DAY_MS) as Day;
}

/** Returns the instant at which a date begins in UTC. */
export function utcMidnight(day: Day): Instant {
  return (day * DAY_MS) as Instant;
}
