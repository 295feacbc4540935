import { isDeepStrictEqual } from "node:util";
import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { documentText } from "@/server/domain/events/own-spelling";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcal, type IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";
import { zone } from "@/server/domain/time/zone";
import { attendeesAfter, clippedSubject, differing, type GuestsToWrite } from "@/server/providers/microsoft/event-body";
import { exceptionsOf, type Item } from "@/server/providers/microsoft/item";
import { clockOf, originalStartOf, timesOf } from "@/server/providers/microsoft/read-times";
import { writtenTime } from "@/server/providers/microsoft/write-times";

/** What brings one occurrence to what it is to say. */
export interface ExceptionWrite {
  /** The date of the occurrence in its series. */
  day: Day;
  /** The item as it is. Null: the occurrence is as its series, and its id is not known. */
  before: Item | null;
  /** Null: it is to be deleted. */
  body: Record<string, unknown> | null;
  /** The description that it is to have. Null: the one that it has. */
  description: string | null;
}

export interface ExceptionsToWrite {
  /** The series as Graph has it, with its exceptions, and the same as it is read. */
  main: Item;
  remote: EventState;
  /** The event as it is to be. */
  state: EventState;
  series: StoredIcalRecurrence;
  /** Guests who come to the whole series, and who leave it. */
  people: GuestsToWrite;
}

type Override = IcalOverride<OccurrenceChanges>;

/** Gives what has to be written for each occurrence that is not what it is to be: changed, deleted, or as the series again. */
export function exceptionWrites({ main, remote, state, series, people }: ExceptionsToWrite): ExceptionWrite[] {
  const before = remote.icalRecurrence;
  const [out, deleted] = [outDays(series), before ? outDays(before) : new Map<Day, LocalTime>()];
  const [changed, known] = [changedDays(series), before ? changedDays(before) : new Map<Day, Override>()];
  const items = itemsByDay(main, remote.tzid);
  const all = new Map<Day, LocalTime>([...out]);
  for (const [day, { recurrenceId }] of [...known, ...changed]) all.set(day, recurrenceId);
  return [...all]
    .sort(([a], [b]) => a - b)
    .flatMap(([day, local]): ExceptionWrite[] => {
      const item = items.get(day) ?? null;
      const isOut = out.has(day) && !changed.has(day);
      if (deleted.has(day)) return [];
      // Left over from where the series was before.
      if (isOut || !hasOccurrence(state, series, local)) {
        return isOut || item ? [{ day, before: item, body: null, description: null }] : [];
      }
      const wanted = occurrenceOf(state, series, { recurrenceId: local, override: changed.get(day) ?? null });
      const current = occurrenceOf(remote, before ?? series, { recurrenceId: local, override: known.get(day) ?? null });
      const attendees = item && attendeesAfter(item, people);
      const body = { ...differing(current.body, wanted.body), ...(attendees && { attendees }) };
      const description =
        documentText(current.description) === documentText(wanted.description) ? null : wanted.description;
      const isSame = Object.keys(body).length === 0 && description === null;
      return isSame ? [] : [{ day, before: item, body, description }];
    });
}

/** Gives the days that Graph has deleted and the application wants back: no request restores an occurrence. */
export function lostDays(remote: EventState, state: EventState, series: StoredIcalRecurrence): Day[] {
  if (!remote.icalRecurrence) return [];
  const [out, changed] = [outDays(series), changedDays(series)];
  return [...outDays(remote.icalRecurrence)].flatMap(([day, local]) => {
    const isWanted = (changed.has(day) || !out.has(day)) && hasOccurrence(state, series, local);
    return isWanted ? [day] : [];
  });
}

/**
 * Invites new guests of a series to the occurrences that have a guest list of their own, which does not follow that of the series. Before
 * the series has them: after that nothing would show that they are new, if the write is cut short.
 */
export function invitationsOf(main: Item, guests: readonly Guest[]): { id: string; attendees: object[] }[] {
  return exceptionsOf(main).flatMap((exception) => {
    if (exception.isCancelled === true || isDeepStrictEqual(exception.attendees, main.attendees)) return [];
    const attendees = attendeesAfter(exception, { guests, removed: [] });
    return attendees ? [{ id: exception.id, attendees }] : [];
  });
}

/**
 * Gives the original dates of a series' exceptions.
 * @param tzid where the series names no zone that is known
 */
export function itemsByDay(main: Item, tzid: string | null, items = exceptionsOf(main)): Map<Day, Item> {
  const times = timesOf(main, tzid);
  const clock = times && clockOf(main, times, tzid);
  const found = new Map<Day, Item>();
  for (const item of items) {
    const local = clock && originalStartOf(item, clock);
    if (local !== null) found.set(dayAt(local), item);
  }
  return found;
}

function dayAt(local: LocalTime): Day {
  return dayOf(local as number as Instant);
}

function clockOfSeries({ allDay, tzid }: Pick<StoredIcalRecurrence, "allDay" | "tzid">): SeriesClock {
  return { allDay, zone: allDay || tzid === null ? null : zone(tzid) };
}

/** Lists the days that a series leaves out, each with the occurrence's local time. */
function outDays(series: StoredIcalRecurrence): Map<Day, LocalTime> {
  const clock = clockOfSeries(series);
  const dates = series.exdates.flatMap(
    ({ text }) => seriesDate(text, null, { clock, start: series.start })?.local ?? [],
  );
  const cancelled = series.overrides.flatMap((one) => (one.cancelled ? [one.recurrenceId] : []));
  return new Map([...dates, ...cancelled].map((local) => [dayAt(local), local]));
}

function changedDays({ overrides }: StoredIcalRecurrence): Map<Day, Override> {
  const changed = overrides.filter((one) => !one.cancelled && !one.following);
  return new Map(changed.map((override) => [dayAt(override.recurrenceId), override]));
}

/** Reports whether the rules of a series have an occurrence on a day, whatever its exceptions say. */
function hasOccurrence(state: EventState, series: StoredIcalRecurrence, local: LocalTime): boolean {
  const clock = clockOfSeries({ allDay: series.allDay, tzid: state.tzid });
  const from = instantOn(clock, local);
  const rules = { ...series, zone: clock.zone, overrides: [], exdates: [] };
  const { occurrences } = expandIcal(rules, { from, to: (from + 1) as Instant }, { steps: SERIES_STEPS });
  return occurrences.some(({ recurrenceId }) => dayAt(recurrenceId) === dayAt(local));
}

function occurrenceOf(
  state: EventState,
  series: StoredIcalRecurrence,
  { recurrenceId, override }: { recurrenceId: LocalTime; override: Override | null },
) {
  const { span, tzid } = state;
  const original = instantOn(clockOfSeries({ allDay: series.allDay, tzid }), recurrenceId);
  const times = override ?? { starts: original, ends: (original + span.ends - span.starts) as Instant };
  const { summary = state.summary, description = state.description } = override?.fields ?? {};
  const { location = state.location } = override?.fields ?? {};
  const form = { allDay: override?.allDay ?? series.allDay, tzid };
  const body = {
    isAllDay: form.allDay,
    start: writtenTime(times.starts, form),
    end: writtenTime(times.ends, form),
    subject: clippedSubject(summary),
    location: { displayName: location ?? "" },
  };
  return { body, description };
}
