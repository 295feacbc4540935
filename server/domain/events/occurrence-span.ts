import type { SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import { midnight } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/** When an occurrence takes place. `start`: on the clock that it was written on. */
export interface OccurrenceTimes {
  span: { starts: Instant; ends: Instant; allDay: boolean };
  start: LocalTime;
}

interface OverrideSpan {
  starts: Instant;
  ends: Instant;
  /** Only where it differs from the series'. */
  allDay?: boolean;
}

/** When an occurrence of its own takes place, which may take whole days where its series does not, and a time where it does. */
export function overrideSpan({ allDay }: Pick<SeriesClock, "allDay">, { span }: OccurrenceTimes): OverrideSpan {
  const { starts, ends } = span;
  return span.allDay === allDay ? { starts, ends } : { starts, ends, allDay: span.allDay };
}

/**
 * The same of an occurrence that all that follow are moved along with, which are of the kind of their series: a date in a timed series is
 * that day in its zone, a time in an all-day series is its date.
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
