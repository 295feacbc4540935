import type { SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import { midnight } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/** The times of an occurrence. `start`: on the clock it was written in. */
export interface OccurrenceTimes {
  span: { starts: Instant; ends: Instant; allDay: boolean };
  start: LocalTime;
}

interface OverrideSpan {
  starts: Instant;
  ends: Instant;
  /** Set only if it differs from the series'. */
  allDay?: boolean;
}

/**
 * Computes the span of a single override, which may last whole days in a timed series, and have a time in an all-day
 * one.
 */
export function overrideSpan({ allDay }: Pick<SeriesClock, "allDay">, { span }: OccurrenceTimes): OverrideSpan {
  const { starts, ends } = span;
  return span.allDay === allDay ? { starts, ends } : { starts, ends, allDay: span.allDay };
}

/**
 * Computes the span of an override that applies to all that follow, which keep the kind of their series: a date in a
 * timed series is that day in its zone, and a time in an all-day series is its date.
 */
export function inKindOf(
  { allDay: isSeriesAllDay, zone }: SeriesClock,
  { span, start }: OccurrenceTimes,
): { starts: Instant; ends: Instant } {
  const { starts, ends, allDay } = span;
  if (allDay === isSeriesAllDay || (allDay && !zone)) return { starts, ends };
  if (zone && allDay) return { starts: midnight(zone, dayOf(starts)), ends: midnight(zone, dayOf(ends)) };
  const first = dayOf(start as number as Instant);
  const days = Math.max(1, Math.ceil((start + ends - starts) / DAY_MS) - first);
  return { starts: utcMidnight(first), ends: utcMidnight((first + days) as Day) };
}
