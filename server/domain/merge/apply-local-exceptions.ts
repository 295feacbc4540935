import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { type Exception, exceptionsByDay } from "@/server/domain/events/exceptions-by-day";
import { namedDays } from "@/server/domain/merge/merge-exceptions";
import { daysOfSeries, localDay, mainOccurrence, type SeriesDay } from "@/server/domain/merge/series-days";
import { dateOnClock } from "@/server/domain/merge/shift-date";
import { differing } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { type Day, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";

interface Sides {
  /** The event as the provider has it now. */
  remote: EventState;
  /** What the application has changed (`changedFieldsOf`). */
  isLocal: ReadonlySet<string>;
  /** Shared by the whole call, which spends it. */
  budget?: Budget;
}

/**
 * Applies the application's exceptions to the provider's series: the days that the application has changed, and the
 * days that it skipped and that the provider still names at an outdated time. Ignores a day without an occurrence.
 * Works in pieces.
 */
export function* applyLocalExceptions(
  series: StoredIcalRecurrence,
  own: EventState,
  { remote, isLocal, budget = { steps: SERIES_STEPS } }: Sides,
): Pieces<StoredIcalRecurrence> {
  const days = localDays(series, own, { remote, isLocal });
  yield;
  const remoteDays = yield* daysOfSeries(series, [...days.keys()], budget);
  const replaced = new Set<object>();
  const [exdates, overrides]: [StoredIcalRecurrence["exdates"][number][], StoredIcalRecurrence["overrides"][number][]] =
    [[], []];
  for (const [day, { what, isChanged }] of days) {
    const found = remoteDays.get(day);
    if (!found || (found.takenOut.length > 0 && !isChanged)) continue;
    const exception = exceptionOf(found, what, { series, own });
    if (!exception) continue;
    for (const one of [...found.exdates, ...found.overrides]) replaced.add(one);
    exdates.push(...exception.exdates);
    overrides.push(...exception.overrides);
  }
  const kept = <One extends object>(all: readonly One[]) => all.filter((one) => !replaced.has(one));
  return {
    ...series,
    exdates: [...kept(series.exdates), ...exdates],
    overrides: [...kept(series.overrides), ...overrides],
  };
}

interface LocalDay {
  /** Undefined: the exception was removed. */
  what: Exception | undefined;
  /** False: the day is skipped, and the provider names it. */
  isChanged: boolean;
}

function localDays(series: StoredIcalRecurrence, own: EventState, { remote, isLocal }: Sides): Map<Day, LocalDay> {
  if (!own.ruleSeries) return new Map();
  const local = exceptionsByDay(own.ruleSeries);
  const named = remote.icalRecurrence ? namedDays(remote.icalRecurrence, remote) : new Set<string>();
  // A change "from this day on" cannot be separated from its first day.
  const ranges = new Set(series.overrides.flatMap((one) => (one.following ? [localDay(one.recurrenceId)] : [])));
  const days = new Map<Day, LocalDay>();
  for (const text of new Set([...local.keys(), ...isLocal])) {
    const [day, what, isChanged] = [parseDay(text), local.get(text), isLocal.has(text)];
    if (day === null || ranges.has(day)) continue;
    if (isChanged || (what === "skipped" && named.has(text))) days.set(day, { what, isChanged });
  }
  return days;
}

type ExceptionsOfDay = Pick<StoredIcalRecurrence, "exdates" | "overrides">;

/** Returns the exceptions to write for a day, or null if the series already has them. */
function exceptionOf(
  { occurrences, exdates, overrides }: SeriesDay,
  what: Exception | undefined,
  { series, own }: { series: StoredIcalRecurrence; own: EventState },
): ExceptionsOfDay | null {
  if (what === undefined) return { exdates: [], overrides: [] };
  if (what === "skipped") {
    if (occurrences.length === 0) return { exdates, overrides: overrides.filter((one) => one.cancelled) };
    return {
      exdates: occurrences.map(({ recurrenceId }) => ({ text: dateOnClock(series, recurrenceId) })),
      overrides: [],
    };
  }
  const usual = mainOccurrence(series, occurrences);
  if (!usual) return null;
  const { starts, ends } = what.span ?? usual;
  const allDay = what.span?.allDay ?? series.allDay;
  const content = withoutPeople(usual.override?.fields);
  const fields = { ...content, ...differing(what.texts, { ...own, ...content }) };
  const { recurrenceId } = usual;
  const kind = allDay === series.allDay ? {} : { allDay };
  return {
    exdates: [],
    overrides: [{ recurrenceId, starts: starts as Instant, ends: ends as Instant, ...kind, fields }],
  };
}

/**
 * Drops guests and organizer from the provider's changes to this occurrence and all that follow: guests of an
 * occurrence follow those of the event.
 */
export function withoutPeople({ attendees: _, organizer: __, ...content }: OccurrenceChanges = {}): OccurrenceChanges {
  return content;
}
