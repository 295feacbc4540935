import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { instantOn, midnightOf, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Span } from "@/server/domain/recurrence/spans";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/** DTSTART of a series with its clock, and the length of an occurrence. */
export type SeriesTimes = Pick<StoredIcalRecurrence, "allDay" | "tzid" | "start" | "duration">;

/** A change of a series' start, clock, or kind of times. */
export interface SeriesShift {
  from: SeriesTimes;
  to: SeriesTimes;
}

export function seriesClock({ allDay, tzid }: Pick<SeriesTimes, "allDay" | "tzid">): SeriesClock {
  return { allDay, zone: tzid === null ? null : zone(tzid) };
}

/**
 * Checks that the times of a series have the same form before and after. Whole days have one form, whatever zone is
 * named beside them.
 */
export function isOnSameClock({ from, to }: SeriesShift): boolean {
  return from.allDay === to.allDay && (from.allDay || from.tzid === to.tzid);
}

/** Shifts a time of a series: it stays as far from DTSTART as before, in whole days if the series is all-day. */
export function shiftedTime({ from, to }: SeriesShift, local: LocalTime): LocalTime {
  const inKind = (time: LocalTime) => (to.allDay ? midnightOf(time) : time);
  return (inKind(local) + to.start - inKind(from.start)) as LocalTime;
}

/** Computes when the occurrence of a local time takes place if it has no exception. */
export function usualSpan(times: SeriesTimes, local: LocalTime): Span {
  const clock = seriesClock(times);
  const { days, exact } = times.duration;
  const starts = instantOn(clock, local);
  const end = days === 0 ? starts : instantOn(clock, (local + days * DAY_MS) as LocalTime);
  return { starts, ends: (end + exact) as Instant };
}
