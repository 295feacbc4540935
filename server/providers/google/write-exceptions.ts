import { isDeepStrictEqual } from "node:util";
import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcal, type IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { attendeesAfter, clipped, differing, type GuestsToWrite } from "@/server/providers/google/event-body";
import { type Item, isCancelled } from "@/server/providers/google/item";
import { clockOf } from "@/server/providers/google/read-series";
import { instanceId, originalStartOf, writtenTime } from "@/server/providers/google/read-times";
import type { SeriesItems } from "@/server/providers/google/series-items";

/** A request that brings one occurrence to what it is to say. */
export interface ExceptionWrite {
  /** The occurrence's own id. */
  id: string;
  /** The item as it is. Null: the occurrence is as its series. */
  before: Item | null;
  body: Record<string, unknown>;
}

export interface ExceptionsToWrite {
  seriesId: string;
  /** The event as it is to be, and its recurrence. */
  state: EventState;
  series: StoredIcalRecurrence;
  /** The days that the series leaves out by itself, as its lines have them. */
  exdates: readonly { text: string }[];
  /** The exceptions that there are. */
  items: readonly Item[];
  /** Guests who come to the whole series, and who leave it. */
  people: GuestsToWrite;
}

type Override = IcalOverride<OccurrenceChanges>;

/** Gives what has to be written for each occurrence that is not what it is to be: changed, cancelled, or as the series again. */
export function exceptionWrites({
  seriesId,
  state,
  series,
  exdates,
  items,
  people,
}: ExceptionsToWrite): ExceptionWrite[] {
  const clock = clockOf(state);
  const locals = (dates: readonly { text: string }[]) =>
    new Set(dates.flatMap(({ text }) => seriesDate(text, null, { clock, start: series.start })?.local ?? []));
  const leftOut = locals(exdates);
  const cancelled = new Set<LocalTime>([...locals(series.exdates), ...ofKind(series, true).map(idOf)]);
  const changed = new Map(ofKind(series, false).map((override) => [override.recurrenceId, override]));
  const known = new Map(items.map((item) => [originalStartOf(item, clock), item]));
  const all = new Set<LocalTime>([...changed.keys(), ...cancelled]);
  for (const local of known.keys()) if (local !== null) all.add(local);
  return [...all]
    .sort((a, b) => a - b)
    .flatMap((local): ExceptionWrite[] => {
      const before = known.get(local) ?? null;
      const isOut = cancelled.has(local) && !changed.has(local);
      if (isOut && ((before && isCancelled(before)) || (!before && leftOut.has(local)))) return [];
      const id = before?.id ?? instanceId(seriesId, local, clock);
      if (isOut) return [{ id, before, body: { status: "cancelled" } }];
      // Left over from where the series was before.
      const isLeftOver = before !== null && !changed.has(local) && !hasOccurrence(state, series, local);
      if (isLeftOver) return isCancelled(before) ? [] : [{ id, before, body: { status: "cancelled" } }];
      const wanted = occurrenceBody(state, series, { recurrenceId: local, override: changed.get(local) ?? null });
      // One that was cancelled has to say everything again.
      if (before && isCancelled(before)) return [{ id, before, body: { ...wanted, status: "confirmed" } }];
      const usual = occurrenceBody(state, series, { recurrenceId: local, override: null });
      const body = differing(before ? written(before) : usual, wanted);
      const attendees = before && attendeesAfter(before, people);
      const whole = { ...body, ...(attendees && { attendees }) };
      return Object.keys(whole).length === 0 ? [] : [{ id, before, body: whole }];
    });
}

/**
 * Invites new guests of a series to the occurrences that have a guest list of their own, which does not follow that of the series. Before
 * the series has them: after that nothing would show that they are new, if the write is cut short.
 */
export function invitationsOf({ main, exceptions }: SeriesItems, guests: readonly Guest[]): ExceptionWrite[] {
  return exceptions.flatMap((before) => {
    if (isCancelled(before) || isDeepStrictEqual(before.attendees, main.attendees)) return [];
    const attendees = attendeesAfter(before, { guests, removed: [] });
    return attendees ? [{ id: before.id, before, body: { attendees } }] : [];
  });
}

/** Reports whether the rules of a series have an occurrence at a time, whatever its exceptions say. */
function hasOccurrence(state: EventState, series: StoredIcalRecurrence, local: LocalTime): boolean {
  const { zone } = clockOf(state);
  const from = instantOn(clockOf(state), local);
  const rules = { ...series, zone, overrides: [], exdates: [] };
  const { occurrences } = expandIcal(rules, { from, to: (from + 1) as Instant }, { steps: SERIES_STEPS });
  return occurrences.some(({ recurrenceId }) => recurrenceId === local);
}

function ofKind({ overrides }: StoredIcalRecurrence, isCancelled: boolean): Override[] {
  return overrides.filter((override) => (override.cancelled === true) === isCancelled && !override.following);
}

const idOf = ({ recurrenceId }: Override) => recurrenceId;

function occurrenceBody(
  state: EventState,
  series: StoredIcalRecurrence,
  { recurrenceId, override }: { recurrenceId: LocalTime; override: Override | null },
): Record<string, unknown> {
  const { span, tzid } = state;
  const original = instantOn(clockOf(state), recurrenceId);
  const ends = (original + span.ends - span.starts) as Instant;
  const times = override ?? { starts: original, ends };
  const {
    summary = state.summary,
    description = state.description,
    location = state.location,
  } = override?.fields ?? {};
  const form = { allDay: override?.allDay ?? series.allDay, tzid };
  return {
    start: writtenTime(times.starts, form),
    end: writtenTime(times.ends, form),
    summary,
    description: clipped(description),
    location: location ?? "",
  };
}

/** Writes the fields of an item as `occurrenceBody` would write them. */
function written(item: Item): Record<string, unknown> {
  const { start, end, summary = "", description = "", location = "" } = item;
  const time = (value: unknown) => {
    const { date = null, dateTime = null, timeZone = null } = (value ?? {}) as Record<string, string | null>;
    if (date !== null) return { date, dateTime: null, timeZone: null };
    return {
      date: null,
      dateTime: dateTime === null ? null : new Date(dateTime).toISOString(),
      timeZone: timeZone ?? "UTC",
    };
  };
  return { start: time(start), end: time(end), summary, description, location };
}
