import { isDeepStrictEqual } from "node:util";
import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { placeExceptions } from "@/server/domain/merge/place-exceptions";
import {
  isOnSameClock,
  type SeriesShift,
  type SeriesTimes,
  seriesClock,
  usualSpan,
} from "@/server/domain/merge/series-shift";
import { dateOnClock, shiftDate } from "@/server/domain/merge/shift-date";
import { shiftRule } from "@/server/domain/merge/shift-rule";
import type { Pieces } from "@/server/domain/pieces";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";

type Override = StoredIcalRecurrence["overrides"][number];
type Dates = StoredIcalRecurrence["exdates"];

/** Exceptions that already have the new time. */
type Known = Pick<StoredIcalRecurrence, "exdates" | "rdates" | "overrides">;

const nothing: Known = { exdates: [], rdates: [], overrides: [] };

/**
 * Moves a series to another start, to another clock, or between times and whole days, along with all that refers to its
 * occurrences: UNTIL, RDATE, EXDATE and overrides. Dates and exceptions that `known` also has stay. If the kind
 * changes, a moved occurrence takes place at the usual time. Works in pieces.
 */
export function* shiftSeries(
  series: StoredIcalRecurrence,
  to: SeriesTimes,
  known: Known = nothing,
): Pieces<StoredIcalRecurrence> {
  const { allDay, start, duration } = to;
  const tzid = isOnSameClock({ from: series, to }) ? series.tzid : to.tzid;
  const shift: SeriesShift = { from: series, to: { allDay, tzid, start, duration } };
  if (isDeepStrictEqual(timesIn(series), shift.to)) return series;
  const rules = {
    rrules: series.rrules.map((text) => shiftRule(text, shift)),
    exrules: series.exrules.map((text) => shiftRule(text, shift)),
    rdates: shiftedDates(series.rdates, known.rdates, (text) => shiftDate(text, shift)),
  };
  const stays = new Set(known.overrides.map(({ recurrenceId }) => recurrenceId));
  const starts = new Map(series.exdates.map(({ text }) => [text, startOf(text, series)]));
  const originals = [...starts.values(), ...series.overrides.map(({ recurrenceId }) => recurrenceId)];
  const places = yield* placeExceptions({
    ...{ shift, before: series, after: rules },
    originals: originals.filter((local) => local !== null),
  });
  const exdate = (text: string) => {
    const place = places.get(starts.get(text) ?? (Number.NaN as LocalTime));
    return place == null ? shiftDate(text, shift) : dateOnClock(to, place);
  };
  return {
    ...series,
    ...shift.to,
    ...rules,
    exdates: shiftedDates(series.exdates, known.exdates, exdate),
    overrides: series.overrides.flatMap((one) => {
      if (stays.has(one.recurrenceId)) return one;
      const place = places.get(one.recurrenceId) ?? null;
      return place === null ? [] : (shiftedOverride(one, place, shift) ?? []);
    }),
  };
}

function timesIn({ allDay, tzid, start, duration }: SeriesTimes): SeriesTimes {
  return { allDay, tzid, start, duration };
}

/**
 * Finds the occurrence that an EXDATE names. Returns null for a whole day of a series with times, or a text that can't
 * be parsed.
 */
function startOf(text: string, series: SeriesTimes): LocalTime | null {
  const date = seriesDate(text, null, { clock: seriesClock(series), start: series.start });
  return date && date.wholeDay === null ? date.local : null;
}

function shiftedDates(all: Dates, stay: Dates, shifted: (text: string) => string): { text: string }[] {
  const kept = new Set(stay.map(({ text }) => text));
  return [...new Set(all.map(({ text }) => (kept.has(text) ? text : shifted(text))))].map((text) => ({ text }));
}

/**
 * Shifts an override. One that also changes the time stays at that time, if the series still has times of that kind.
 * One of another kind than its series (whole days in a series with times, or the reverse) stays unchanged unless the
 * series becomes of that kind. Returns null if nothing remains of it.
 */
function shiftedOverride(override: Override, recurrenceId: LocalTime, { from, to }: SeriesShift): Override | null {
  const [before, now] = [usualSpan(from, override.recurrenceId), usualSpan(to, recurrenceId)];
  const { starts, ends } = override;
  const isUsual = override.allDay === undefined && starts === before.starts && ends === before.ends;
  if (from.allDay !== to.allDay && !isUsual && !override.cancelled && Object.keys(override.fields).length === 0)
    return null;
  if (isUsual || from.allDay !== to.allDay) {
    const { allDay: _, ...rest } = override;
    return { ...rest, recurrenceId, ...now };
  }
  const later = override.allDay === undefined && starts === before.starts ? now.starts - starts : 0;
  return { ...override, recurrenceId, starts: (starts + later) as Instant, ends: (ends + later) as Instant };
}
