import type { DateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { instantOn, readOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { LocalTime } from "@/server/domain/time/rfc3339";

export interface Until {
  /** No local time after this one is admitted. */
  noneAfter: number;
  admits: (local: LocalTime) => boolean;
}

const DAY_MS = 86_400_000;
const never: Until = { noneAfter: Number.POSITIVE_INFINITY, admits: () => true };

/**
 * Computes where a rule's UNTIL ends it, inclusive (RFC 5545 §3.3.10), in any form: a date ends a timed series with
 * that day; a time ends an all-day series with the day that it falls on (an instant, in the series' zone, or in UTC
 * without one).
 * @param asked the local times that matter (milliseconds, inclusive): an UNTIL far from them is only compared with them
 */
export function until(value: DateValue | null, clock: SeriesClock, asked: { from: number; to: number }): Until {
  if (value === null) return never;
  if (value.kind === "date") return before((value.day + 1) * DAY_MS);
  if (value.kind === "utc" && value.at < asked.from - 2 * DAY_MS) return before(value.at);
  if (value.kind === "utc" && value.at > asked.to + 2 * DAY_MS) return never;
  const local = value.kind === "local" ? value.local : readOn(clock, value.at);
  if (clock.allDay) return before((Math.floor(local / DAY_MS) + 1) * DAY_MS);
  if (value.kind === "local") return before(local + 1);
  // Near a gap or an overlap the order of local times differs from that of instants.
  return { noneAfter: local + DAY_MS, admits: (time) => instantOn(clock, time) <= value.at };
}

function before(end: number): Until {
  return { noneAfter: end - 1, admits: () => true };
}
