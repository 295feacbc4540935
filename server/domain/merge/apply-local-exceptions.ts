import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { type Exception, exceptionsByDay } from "@/server/domain/events/exceptions-by-day";
import { namedDays } from "@/server/domain/merge/merge-exceptions";
import { daysOfSeries, localDay, type SeriesDay } from "@/server/domain/merge/series-days";
import { differing } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { basic, dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { type Day, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";

const DAY_MS = 86_400_000;

interface Sides {
  /** What the resource says now. */
  remote: EventState;
  /** What the application has touched (`changedFieldsOf`). */
  isLocal: ReadonlySet<string>;
  /** For the whole of it; spent here. */
  budget?: Budget;
}

/**
 * A series of others with what the application says of single days: of those that it has touched, and of those that it had skipped and
 * that are named still, though at a time that the series has no more. A day that the series has not is of no occurrence: of it
 * nothing is said. In pieces.
 */
export function* applyLocalExceptions(
  series: StoredIcalRecurrence,
  own: EventState,
  { remote, isLocal, budget = { steps: SERIES_STEPS } }: Sides,
): Pieces<StoredIcalRecurrence> {
  const asked = daysInQuestion(series, own, { remote, isLocal });
  const there = yield* daysOfSeries(series, [...asked.keys()], budget);
  const replaced = new Set<object>();
  const [exdates, overrides]: [StoredIcalRecurrence["exdates"][number][], StoredIcalRecurrence["overrides"][number][]] =
    [[], []];
  for (const [day, { what, isChanged }] of asked) {
    const found = there.get(day);
    if (!found || (found.isTakenOut && !isChanged)) continue;
    const said = exceptionOf(found, what, { series, own });
    if (!said) continue;
    for (const one of [...found.exdates, ...found.overrides]) replaced.add(one);
    exdates.push(...said.exdates);
    overrides.push(...said.overrides);
  }
  const kept = <One extends object>(all: readonly One[]) => all.filter((one) => !replaced.has(one));
  return {
    ...series,
    exdates: [...kept(series.exdates), ...exdates],
    overrides: [...kept(series.overrides), ...overrides],
  };
}

interface InQuestion {
  /** Undefined: nothing, any more. */
  what: Exception | undefined;
  /** Else it is skipped, and named. */
  isChanged: boolean;
}

function daysInQuestion(
  series: StoredIcalRecurrence,
  own: EventState,
  { remote, isLocal }: Sides,
): Map<Day, InQuestion> {
  if (!own.ruleSeries) return new Map();
  const local = exceptionsByDay(own.ruleSeries);
  const named = remote.icalRecurrence ? namedDays(remote.icalRecurrence, remote) : new Set<string>();
  // What others say from a day on cannot be taken from that day alone.
  const ranges = new Set(series.overrides.flatMap((one) => (one.following ? [localDay(one.recurrenceId)] : [])));
  const asked = new Map<Day, InQuestion>();
  for (const text of new Set([...local.keys(), ...isLocal])) {
    const [day, what, isChanged] = [parseDay(text), local.get(text), isLocal.has(text)];
    if (day === null || ranges.has(day)) continue;
    if (isChanged || (what === "skipped" && named.has(text))) asked.set(day, { what, isChanged });
  }
  return asked;
}

type OfDay = Pick<StoredIcalRecurrence, "exdates" | "overrides">;

/** What is to be said of a day; null: what is said already. */
function exceptionOf(
  { occurrences, exdates, overrides }: SeriesDay,
  what: Exception | undefined,
  { series, own }: { series: StoredIcalRecurrence; own: EventState },
): OfDay | null {
  if (what === undefined) return { exdates: [], overrides: [] };
  if (what === "skipped") {
    if (occurrences.length === 0) return { exdates, overrides: overrides.filter((one) => one.cancelled) };
    return { exdates: occurrences.map(({ recurrenceId }) => exdate(series, recurrenceId)), overrides: [] };
  }
  const atStart = occurrences.find(({ recurrenceId }) => timeOfDay(recurrenceId) === timeOfDay(series.start));
  const usual = atStart ?? occurrences[0];
  if (!usual) return null;
  const { starts, ends } = what.span ?? usual;
  const words = besidePeople(usual.override?.fields);
  const fields = { ...words, ...differing(what.texts, { ...own, ...words }) };
  const { recurrenceId } = usual;
  return { exdates: [], overrides: [{ recurrenceId, starts: starts as Instant, ends: ends as Instant, fields }] };
}

/** What others say of this occurrence and all that follow; who is invited to it follows the guests of the event. */
function besidePeople({ attendees: _, organizer: __, ...words }: OccurrenceChanges = {}): OccurrenceChanges {
  return words;
}

function exdate(series: StoredIcalRecurrence, at: LocalTime): { text: string } {
  if (series.allDay) return { text: dateText(at) };
  return { text: series.tzid === null ? basic(at as number as Instant) : localText(at) };
}

function timeOfDay(local: LocalTime): number {
  return ((local % DAY_MS) + DAY_MS) % DAY_MS;
}
