import { type DateValue, readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { type Duration, readDuration } from "@/server/domain/recurrence/rfc5545/duration";
import {
  instantOn,
  localOn,
  midnightOf,
  readOn,
  type SeriesClock,
} from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Day } from "@/server/domain/time/day";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import type { Zone } from "@/server/domain/time/zone";

/** The value of an RDATE, EXDATE or RECURRENCE-ID: dates, times or periods, with commas between them. */
export interface DateText {
  text: string;
  /** The zone that its TZID names. Omitted: the series' own. */
  zone?: Zone | null;
}

/** A date of a series on its own clock. */
export interface SeriesDate {
  local: LocalTime;
  /** The whole day that a DATE stands for in a timed series. */
  wholeDay: Day | null;
  /** The end of a PERIOD. */
  lasts: PeriodEnd | null;
}

export type PeriodEnd = { ends: LocalTime } | { duration: Duration };

export interface DatesOf {
  clock: SeriesClock;
  /** DTSTART. A DATE in a timed series takes its time of day. */
  start: LocalTime;
  /** Whether a time is to be converted between zones. Omitted: always. */
  isNear?: (time: number) => boolean;
}

/**
 * Reads one value of such a list onto the series' clock, even if its form is not the series' own: in a timed series a
 * DATE is the day at DTSTART's time; in an all-day series a time is the date that was written.
 * @param item one value: no comma
 * @returns null for what cannot be parsed
 */
export function seriesDate(item: string, zone: Zone | null | undefined, of: DatesOf): SeriesDate | null {
  const [from = "", to, ...more] = item.split("/");
  const value = readDateValue(from);
  if (!value || more.length > 0) return null;
  const lasts = to === undefined ? null : periodEnd(to, zone, of);
  if (to !== undefined && !lasts) return null;
  const local = localOf(value, zone, of);
  if (lasts && "ends" in lasts && lasts.ends < local) return null;
  return { local, wholeDay: value.kind === "date" && !of.clock.allDay ? value.day : null, lasts };
}

/**
 * Reads a RECURRENCE-ID onto the series' clock, as `seriesDate` does.
 * @returns null for what cannot be read
 */
export function readRecurrenceId({ text, zone }: DateText, of: DatesOf): LocalTime | null {
  const value = readDateValue(text);
  return value && localOf(value, zone, of);
}

function periodEnd(text: string, zone: Zone | null | undefined, of: DatesOf): PeriodEnd | null {
  const duration = readDuration(text);
  if (duration) return { duration };
  const value = readDateValue(text);
  return value && { ends: localOf(value, zone, of) };
}

function localOf(value: DateValue, zone: Zone | null | undefined, of: DatesOf): LocalTime {
  const { clock, start } = of;
  if (value.kind === "date") return (utcMidnight(value.day) + (clock.allDay ? 0 : timeOfDay(start))) as LocalTime;
  if (value.kind === "utc" && of.isNear?.(value.at) === false) return value.at as number as LocalTime;
  if (value.kind === "utc") return readOn(clock, value.at);
  if (clock.allDay) return midnightOf(value.local);
  if (!zone || !clock.zone || zone === clock.zone || of.isNear?.(value.local) === false) return value.local;
  return localOn(clock, instantOn({ allDay: false, zone }, value.local));
}

function timeOfDay(local: LocalTime): number {
  return local - midnightOf(local);
}
