import type { OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { seriesClock } from "@/server/domain/merge/series-shift";
import type { Pieces } from "@/server/domain/pieces";
import type { Budget } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcalInPieces, type IcalOccurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn, midnightOf, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";

/** One day of a series. */
export interface SeriesDay {
  /** The day's occurrences, without the exceptions of that day. */
  occurrences: IcalOccurrence<OccurrenceChanges>[];
  exdates: StoredIcalRecurrence["exdates"][number][];
  overrides: StoredIcalRecurrence["overrides"][number][];
  /** The occurrences that an EXDATE or a cancelled override skips. */
  takenOut: IcalOccurrence<OccurrenceChanges>[];
}

const DAY_MS = 86_400_000;
// Occurrences moved further are never shown (`expandIcal`).
const FARTHEST_MS = 5 * 366 * DAY_MS;

/**
 * Finds some days of a series, by one expansion over all of them, in pieces.
 * @param budget spent here. A day beyond its reach has no occurrences
 */
export function* daysOfSeries(
  series: StoredIcalRecurrence,
  days: readonly Day[],
  budget: Budget,
): Pieces<Map<Day, SeriesDay>> {
  const found = new Map(days.map((day): [Day, SeriesDay] => [day, nothing()]));
  if (found.size === 0) return found;
  const clock = seriesClock(series);
  const out = { starts: new Set<Instant>(), days: new Set<Day>() };
  const exdates = series.exdates.filter((one) => {
    const date = seriesDate(one.text, null, { clock, start: series.start });
    const day = date && (date.wholeDay ?? localDay(date.local));
    const named = day === null ? undefined : found.get(day);
    if (!named || day === null || !date) return true;
    named.exdates.push(one);
    if (date.wholeDay === null) out.starts.add(instantOn(clock, date.local));
    else out.days.add(day);
    return false;
  });
  for (const one of series.overrides) {
    const named = found.get(localDay(one.recurrenceId));
    named?.overrides.push(one);
    if (named && one.cancelled) out.starts.add(instantOn(clock, one.recurrenceId));
  }
  const overrides = series.overrides.filter((one) => one.following && !found.has(localDay(one.recurrenceId)));
  const window = windowOf(days, farthest(overrides, clock));
  yield;
  const expanded = yield* expandIcalInPieces({ ...series, exdates, overrides, zone: clock.zone }, window, budget);
  for (const one of expanded.occurrences) {
    const of = found.get(one.day);
    if (!of) continue;
    of.occurrences.push(one);
    if (out.days.has(one.day) || out.starts.has(instantOn(clock, one.recurrenceId))) of.takenOut.push(one);
  }
  return found;
}

/**
 * Picks the occurrence of a day that an application means: the one at the series' own time of day, otherwise the first.
 */
export function mainOccurrence<Occurrence extends { recurrenceId: LocalTime }>(
  { start }: Pick<StoredIcalRecurrence, "start">,
  occurrences: readonly Occurrence[],
): Occurrence | undefined {
  const ofDay = (local: LocalTime) => local - midnightOf(local);
  return occurrences.find(({ recurrenceId }) => ofDay(recurrenceId) === ofDay(start)) ?? occurrences[0];
}

/** Returns the date of a local time on the series' clock. */
export function localDay(local: LocalTime): Day {
  return dayOf(local as number as Instant);
}

function nothing(): SeriesDay {
  return { occurrences: [], exdates: [], overrides: [], takenOut: [] };
}

/** Computes where occurrences of the days may lie when they are moved by at most `by`, in any zone. */
function windowOf(days: readonly Day[], by: number) {
  const [first, last] = days.reduce(
    ([least, most], day) => [Math.min(least, day), Math.max(most, day)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const [from, to] = [utcMidnight(first as Day) - DAY_MS - by, utcMidnight(last as Day) + 2 * DAY_MS + by];
  return { from: from as Instant, to: to as Instant };
}

/** Computes the longest distance by which RANGE=THISANDFUTURE overrides move occurrences. */
function farthest(ranges: StoredIcalRecurrence["overrides"], clock: SeriesClock): number {
  const most = Math.max(0, ...ranges.map((one) => Math.abs(one.starts - instantOn(clock, one.recurrenceId))));
  return Math.min(most, FARTHEST_MS);
}
