import type { EventState, StoredForeign } from "@/server/domain/events/event-state";
import { type Exception, exceptionsByDay } from "@/server/domain/events/exceptions-by-day";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandForeign } from "@/server/domain/recurrence/rfc5545/foreign-series";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import { type Day, dayOf, parseDay, utcMidnight } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { zone } from "@/server/domain/time/zone";
import { namedDays } from "@/server/providers/caldav/icalendar/merge-exceptions";
import { differing } from "@/server/providers/caldav/icalendar/own-series";
import { basic, dateText, localText } from "@/server/providers/caldav/icalendar/write-times";

const DAY_MS = 86_400_000;

/**
 * A series of others with what the application says of single days: of those that it has touched, and of those that it had skipped and
 * that are named still, though at a time that the series has no more. A day that the series has not is of no occurrence: of it
 * nothing is said.
 */
export function withOurDays(
  series: StoredForeign,
  own: EventState,
  { read, isOurs }: { read: EventState; isOurs: ReadonlySet<string> },
): StoredForeign {
  if (!own.series) return series;
  const ours = exceptionsByDay(own.series);
  const named = read.foreign ? namedDays(read.foreign, read) : new Set<string>();
  let now = series;
  for (const text of new Set([...ours.keys(), ...isOurs])) {
    const day = parseDay(text);
    if (day === null) continue;
    const isLeftBehind = ours.get(text) === "skipped" && named.has(text) && !takesOut(now, day);
    if (isOurs.has(text) || isLeftBehind) now = withDay(now, { day, what: ours.get(text), own });
  }
  return now;
}

interface OfDay {
  day: Day;
  /** Undefined: nothing, any more. */
  what: Exception | undefined;
  own: EventState;
}

function withDay(series: StoredForeign, { day, what, own }: OfDay): StoredForeign {
  // What others say from this day on cannot be taken from the day alone.
  if (series.overrides.some((one) => one.following && localDay(one.recurrenceId) === day)) return series;
  const bare = without(series, day);
  if (what === undefined) return bare;
  const starts = startsOn(bare, day);
  if (what === "skipped") return { ...bare, exdates: [...bare.exdates, ...starts.map((at) => exdate(series, at))] };
  const recurrenceId = starts.find((at) => timeOfDay(at) === timeOfDay(series.start)) ?? starts[0];
  if (recurrenceId === undefined) return series;
  const begins = instantOn(clockOf(series), recurrenceId);
  const usual = { starts: begins, ends: (begins + own.span.ends - own.span.starts) as Instant };
  const { starts: from, ends } = what.span ?? usual;
  const override = { recurrenceId, starts: from as Instant, ends: ends as Instant, fields: differing(what.texts, own) };
  return { ...bare, overrides: [...bare.overrides, override] };
}

/** A series that says nothing of a day. */
function without(series: StoredForeign, day: Day): StoredForeign {
  return {
    ...series,
    exdates: series.exdates.filter(({ text }) => dayNamed(series, text) !== day),
    overrides: series.overrides.filter(({ recurrenceId }) => localDay(recurrenceId) !== day),
  };
}

/** Whether what a series names of a day is an occurrence of it. */
function takesOut(series: StoredForeign, day: Day): boolean {
  const cancelled = series.overrides.filter((one) => one.cancelled).map(({ recurrenceId }) => recurrenceId);
  const there = startsOn(series, day).filter((start) => !cancelled.includes(start));
  return there.length < startsOn(without(series, day), day).length;
}

/** When the occurrences of a day begin, those that are changed too. */
function startsOn(series: StoredForeign, day: Day): LocalTime[] {
  const at = utcMidnight(day);
  const window = { from: (at - DAY_MS) as Instant, to: (at + 2 * DAY_MS) as Instant };
  const bare = { ...series, overrides: [], zone: clockOf(series).zone };
  const { occurrences } = expandForeign(bare, window, { steps: SERIES_STEPS });
  return occurrences.filter((one) => one.day === day).map(({ recurrenceId }) => recurrenceId);
}

function dayNamed(series: StoredForeign, text: string): Day | null {
  const date = seriesDate(text, null, { clock: clockOf(series), start: series.start });
  return date && (date.wholeDay ?? localDay(date.local));
}

function exdate(series: StoredForeign, at: LocalTime): { text: string } {
  if (series.allDay) return { text: dateText(at) };
  return { text: series.tzid === null ? basic(at as number as Instant) : localText(at) };
}

function clockOf({ allDay, tzid }: StoredForeign) {
  return { allDay, zone: tzid === null ? null : zone(tzid) };
}

function localDay(local: LocalTime): Day {
  return dayOf(local as number as Instant);
}

function timeOfDay(local: LocalTime): number {
  return ((local % DAY_MS) + DAY_MS) % DAY_MS;
}
