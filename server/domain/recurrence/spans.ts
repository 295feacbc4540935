import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import { localDay, midnightOffsets, toInstant, toLocal, type Zone } from "@/server/domain/time/zone";

/** Start and end of something. All-day spans are UTC midnights. */
export interface Span {
  starts: Instant;
  ends: Instant;
}

/** The first occurrence of a series. `zone` is the event's, and null for an all-day series only. */
export interface FirstOccurrence {
  first: Span & { allDay: boolean };
  zone: Zone | null;
  /** The local date at which it starts (`firstDayOf`). */
  firstDay: Day;
}

/** Returns the day of a first occurrence: its date in the event's zone. */
export function firstDayOf({ first, zone }: Pick<FirstOccurrence, "first" | "zone">): Day {
  return first.allDay || zone === null ? dayOf(first.starts) : localDay(zone, first.starts);
}

/**
 * Computes when the occurrence of a day takes place: at the first one's local time, in a gap of the clocks later by the
 * gap, in an overlap the first of the two, and for as long (elapsed) as the first one (ADR 90).
 */
export function occurrenceSpan(series: FirstOccurrence, day: Day): Span {
  const { first, zone, firstDay } = series;
  // The first one may have been sent in the second half of an overlap.
  if (day === firstDay) return { starts: first.starts, ends: first.ends };
  if (first.allDay || zone === null) return lasting(series, first.starts + utcMidnight((day - firstDay) as Day));
  return lasting(series, toInstant(zone, (utcMidnight(day) + timeOfDay(series, zone)) as LocalTime));
}

/** Computes `occurrenceSpan` of many days in ascending order. */
export function occurrenceSpans(series: FirstOccurrence, days: readonly Day[]): Span[] {
  const { first, zone, firstDay } = series;
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return [];
  if (first.allDay || zone === null) return days.map((day) => occurrenceSpan(series, day));
  const offsets = midnightOffsets(zone, from, (to + 1) as Day);
  const ofDay = timeOfDay(series, zone);
  let at = 0;
  return days.map((day) => {
    while ((offsets[at + 1]?.day ?? Number.POSITIVE_INFINITY) <= day) at++;
    // Between two midnights of one offset the clocks were not changed: no zone changes them twice in a day.
    const isCalm = (offsets[at + 1]?.day ?? Number.POSITIVE_INFINITY) > day + 1;
    const offset = offsets[at]?.offset;
    if (!isCalm || offset === undefined || day === firstDay) return occurrenceSpan(series, day);
    return lasting(series, utcMidnight(day) + ofDay - offset * 1000);
  });
}

function lasting({ first }: FirstOccurrence, starts: number): Span {
  return { starts: starts as Instant, ends: (starts + first.ends - first.starts) as Instant };
}

function timeOfDay({ first, firstDay }: FirstOccurrence, zone: Zone): number {
  return toLocal(zone, first.starts) - utcMidnight(firstDay);
}
