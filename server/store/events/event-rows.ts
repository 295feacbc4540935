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
import { expandEvent } from "@/server/store/events/expand-event";
import {
  changeRows,
  earliestLiving,
  type RowChanges,
  rowChanges,
  type StoredRow,
  storedRows,
} from "@/server/store/events/occurrence-rows";
import { type ExpandedEvent, singleRow } from "@/server/store/events/rule-occurrences";

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

/**
 * The changes to an event's rows: its own, and those of its occurrences. `problems`: what could not be read or stored
 * of a provider's series.
 */
export type PlannedEvent = RowChanges & { columns: StateColumns; problems: readonly string[] };

/** A change that all occurrences show leaves their rows unchanged: it is stored in the event only. */
export type PlannedUpdate =
  | { kind: "words"; columns: WordColumns }
  | (PlannedEvent & { kind: "state"; isMoved: boolean });

/** Plans the rows of a new event. */
export async function plannedInsert(id: string, state: EventState, now: Instant): Promise<PlannedEvent> {
  const made = await rowsOf(id, state, now, []);
  return { columns: columnsOf(state, made), rows: made.rows, gone: [], problems: made.problems ?? [] };
}

/**
 * Plans the changes to the rows of an event whose state is replaced: only rows that differ. What all occurrences of a
 * series show is stored in the event, whose `content_changed_at` is then part of the `updated` of each (ADR 24).
 */
export async function plannedUpdate(
  query: Query,
  { id, state: before }: LivingEvent,
  { calendarId, state, now }: { calendarId: string; state: EventState; now: Instant },
): Promise<PlannedUpdate> {
  if (state.ruleSeries && sameContent(rowInputs(before), rowInputs(state)))
    return { kind: "words", columns: wordColumns(state) };
  const wasSingle = !isRecurring(before) && !isRecurring(state);
  const stored = wasSingle ? [singleRow(id, before.span, before)] : await storedRows(query, calendarId, id);
  const made = await rowsOf(id, state, now, stored);
  const contentDiffers = !sameContent(sharedContent(before), sharedContent(state));
  const isSeries = isRecurring(state);
  const ruleDiffers = !isDeepStrictEqual(before.ruleSeries?.rules, state.ruleSeries?.rules);
  const changed = (uid: string) => (isSeries ? ruleDiffers && uid === made.firstUid : contentDiffers);
  return {
    kind: "state",
    columns: columnsOf(state, made),
    isMoved: contentDiffers && isSeries,
    ...(await rowChanges(stored, made.rows, changed)),
    problems: made.problems ?? [],
  };
}

/** Stores a new event with its occurrences. Returns what could not be read or stored of a provider's series. */
export async function insertEvent(query: Query, target: EventToWrite, state: EventState): Promise<readonly string[]> {
  const id = target.id ?? newId("evt");
  const { columns, problems, ...changes } = await plannedInsert(id, state, target.now);
  const names = { event_id: target.eventId, external_id: target.externalId };
  const values = [target.calendarId, id, columns.covered_until, ...newValues({ ...names, ...columns })];
  const { at } = await runOne(query, insertEventRow, values);
  await changeRows(query, { ...target, masterId: id, at }, changes);
  return problems;
}

/** The outcome for an event: no change if the state is the same. `problems`: what could not be read or stored of a provider's series. */
export interface UpdateResult {
  isChanged: boolean;
  problems: readonly string[];
}

/** Replaces the state of an event. */
export async function updateEvent(
  query: Query,
  target: EventToWrite,
  living: LivingEvent,
  state: EventState,
): Promise<UpdateResult> {
  const { id } = living;
  if (sameContent(living.state, state)) return { isChanged: false, problems: [] };
  const { calendarId } = target;
  const plan = await plannedUpdate(query, living, { calendarId, state, now: target.now });
  if (plan.kind === "words") {
    await runOne(query, updateWords, [calendarId, id, null, true, ...wordValues(plan.columns)]);
    return { isChanged: true, problems: [] };
  }
  const { columns, isMoved } = plan;
  const values = [calendarId, id, columns.covered_until, isMoved, ...stateValues(columns)];
  const { at } = await runOne(query, updateState, values);
  await changeRows(query, { ...target, masterId: id, at }, plan);
  return { isChanged: true, problems: plan.problems };
}

/** Marks events and their occurrences deleted. They stay for reads with include_deleted. */
export async function deleteEvents(query: Query, calendarId: string, ids: readonly string[]): Promise<void> {
  await run(query, markEventsDeleted, [calendarId, ids]);
}

/** Computes the rows of an event: within the stored window, and those that exist already. */
export async function rowsOf(
  id: string,
  state: EventState,
  now: Instant,
  stored: readonly StoredRow[],
): Promise<ExpandedEvent> {
  const { from, to } = storedWindow(now);
  const known = state.icalRecurrence ? [] : stored.flatMap(({ day }) => (day === null ? [] : [dayOfText(day)]));
  const reach = state.icalRecurrence ? Math.min(from, earliestLiving(stored) ?? from) : from;
  return await expandEvent(id, state, { range: { from: reach as Instant, to }, known });
}

function isRecurring({ ruleSeries, icalRecurrence }: EventState): boolean {
  return ruleSeries !== null || icalRecurrence !== null;
}

/** Returns the part of the state that every occurrence shows: everything except the times and the rule. */
function sharedContent(state: EventState): EventState {
  const nowhere = { starts: 0 as Instant, ends: 0 as Instant, allDay: state.span.allDay };
  return { ...state, ruleSeries: null, icalRecurrence: null, tzid: null, span: nowhere };
}

/** Returns the part of the state that determines the occurrences' rows. */
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
  // An occurrence with its own replies stores all guests.
  const guests = series?.replies ? attendees : null;
  return { span, tzid, series, icalRecurrence, transparency, status, participationStatus, guests };
}

/** Returns the columns that hold an event's state and how far it is stored, as text where they are JSON. */
export function columnsOf(state: EventState, made: ExpandedEvent): StateColumns {
  return { first_uid: made.firstUid, covered_until: coveredUntilText(made), ...wordColumns(state) };
}

function wordColumns(state: EventState): WordColumns {
  const { span, summary, description, location, url, tzid, transparency, status } = state;
  return {
    summary,
    description,
    location,
    url,
    tzid,
    transparency,
    status,
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

/** Formats how far the event's occurrences are stored, as the database expects it. */
export function coveredUntilText({ coveredUntil }: ExpandedEvent): string | null {
  return coveredUntil === null ? null : formatInstant(coveredUntil);
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
