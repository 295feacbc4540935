import { isDeepStrictEqual } from "node:util";
import type { Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { run, runOne } from "@/server/db/statement";
import type { EventState } from "@/server/domain/events/event-state";
import { dayOfText } from "@/server/domain/events/rule-series";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { storedWindow } from "@/server/domain/window";
import { type LivingEvent, sameContent } from "@/server/store/events/event-record";
import {
  insertEventRow,
  markEventsDeleted,
  newValues,
  type StateColumns,
  stateValues,
  updateState,
  updateWords,
  type WordColumns,
  wordValues,
} from "@/server/store/events/events.sql";
import { materialised } from "@/server/store/events/materialised";
import {
  earliestLiving,
  replaceRows,
  type StoredRow,
  storedRows,
  writeRows,
} from "@/server/store/events/occurrence-rows";
import type { Materialised } from "@/server/store/events/rule-occurrences";

export interface EventToWrite {
  /** The id of a new event's row, if the caller needs to know it. */
  id?: string;
  calendarId: string;
  /** The application's id. Null on events that others created. */
  eventId: string | null;
  /** The provider's name for the event. Null on hosted calendars. */
  externalId: string | null;
  now: Instant;
}

/** Stores a new event with its occurrences. Returns what could not be read or stored of a provider's series. */
export async function insertEvent(query: Query, target: EventToWrite, state: EventState): Promise<readonly string[]> {
  const id = target.id ?? newId("evt");
  const made = await rowsOf(id, state, target.now, []);
  const columns = { event_id: target.eventId, external_id: target.externalId, ...columnsOf(state, made) };
  const values = [target.calendarId, id, until(made), ...newValues(columns)];
  const written = await runOne(query, insertEventRow, values);
  await writeRows(query, { ...target, masterId: id, at: written.at }, made.rows);
  return made.problems ?? [];
}

/** The outcome for an event: no change if the state is the same. `problems`: what could not be read or stored of a provider's series. */
export interface Updated {
  isChanged: boolean;
  problems: readonly string[];
}

/**
 * Replaces the state of an event and writes only the rows that differ. What all occurrences of a series show is stored in the event,
 * whose `content_changed_at` is then part of the `updated` of each (ADR 24).
 */
export async function updateEvent(
  query: Query,
  target: EventToWrite,
  living: LivingEvent,
  state: EventState,
): Promise<Updated> {
  const { id, state: before } = living;
  if (sameContent(before, state)) return { isChanged: false, problems: [] };
  const { calendarId } = target;
  if (state.ruleSeries && sameContent(rowInputs(before), rowInputs(state))) {
    await runOne(query, updateWords, [calendarId, id, null, true, ...wordValues(wordColumns(state))]);
    return { isChanged: true, problems: [] };
  }
  const stored = await storedRows(query, id);
  const made = await rowsOf(id, state, target.now, stored);
  const contentDiffers = !sameContent(sharedContent(before), sharedContent(state));
  const isSeries = state.ruleSeries !== null || state.icalRecurrence !== null;
  const values = [calendarId, id, until(made), contentDiffers && isSeries, ...stateValues(columnsOf(state, made))];
  const { at } = await runOne(query, updateState, values);
  const ruleDiffers = !isDeepStrictEqual(before.ruleSeries?.rules, state.ruleSeries?.rules);
  const changed = (uid: string) => (isSeries ? ruleDiffers && uid === made.firstUid : contentDiffers);
  await replaceRows(query, { ...target, masterId: id, at }, { stored, rows: made.rows, changed });
  return { isChanged: true, problems: made.problems ?? [] };
}

/** Marks events and their occurrences deleted. They stay for reads with include_deleted. */
export async function deleteEvents(query: Query, calendarId: string, ids: readonly string[]): Promise<void> {
  await run(query, markEventsDeleted, [calendarId, ids]);
}

/** The rows of an event: as far as rows are stored at all, and those that exist already. */
export async function rowsOf(
  id: string,
  state: EventState,
  now: Instant,
  stored: readonly StoredRow[],
): Promise<Materialised> {
  const { from, to } = storedWindow(now);
  const known = state.icalRecurrence ? [] : stored.flatMap(({ day }) => (day === null ? [] : [dayOfText(day)]));
  const reach = state.icalRecurrence ? Math.min(from, earliestLiving(stored) ?? from) : from;
  return await materialised(id, state, { range: { from: reach as Instant, to }, known });
}

/** What every occurrence shows: everything except the times and the rule. */
function sharedContent(state: EventState): EventState {
  const nowhere = { starts: 0 as Instant, ends: 0 as Instant, allDay: state.span.allDay };
  return { ...state, ruleSeries: null, icalRecurrence: null, tzid: null, span: nowhere };
}

/** Everything that determines the rows of its occurrences. */
function rowInputs({
  span,
  tzid,
  ruleSeries: series,
  icalRecurrence,
  transparency,
  status,
  participationStatus,
  attendees,
}: EventState) {
  // An occurrence with replies of its own shows all guests.
  const guests = series?.replies ? attendees : null;
  return { span, tzid, series, icalRecurrence, transparency, status, participationStatus, guests };
}

/** The columns that hold an event's state and how far it is stored, as text where they are JSON. */
export function columnsOf(state: EventState, made: Materialised): StateColumns {
  return { ...wordColumns(state), first_uid: made.firstUid, covered_until: until(made) };
}

function wordColumns(state: EventState): WordColumns {
  const { span, summary, description, location, url, tzid, transparency, status } = state;
  return {
    ...{ summary, description, location, url, tzid, transparency, status },
    all_day: span.allDay,
    starts: formatInstant(span.starts),
    ends: formatInstant(span.ends),
    private: state.private,
    participation_status: state.participationStatus,
    organizer: json(state.organizer),
    attendees: json(state.attendees),
    categories: json(state.categories),
    conferencing: json(state.conferencing),
    recurrence: json(state.ruleSeries),
    ical_recurrence: json(state.icalRecurrence),
  };
}

/** How far its occurrences are stored, as the database expects it. */
export function until({ coveredUntil }: Materialised): string | null {
  return coveredUntil === null ? null : formatInstant(coveredUntil);
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
