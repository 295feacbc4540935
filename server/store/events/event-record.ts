import type { Query } from "@/server/db/client";
import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { sameJson } from "@/server/domain/same-json";
import type { Instant } from "@/server/domain/time/instant";

export interface LivingEvent {
  id: string;
  state: EventState;
}

export interface EventRecord
  extends Omit<EventState, "span" | "participationStatus" | "ruleSeries" | "icalRecurrence"> {
  id: string;
  starts: number;
  ends: number;
  all_day: boolean;
  participation_status: string;
  recurrence: RuleSeries | null;
  ical_recurrence: StoredIcalRecurrence | null;
}

/** The columns that `livingOf` reads. */
export const eventColumns = `id, summary, description, location, url, all_day, date_part('epoch', starts) * 1000 AS starts,
date_part('epoch', ends) * 1000 AS ends, tzid, transparency, private, status, participation_status, organizer, attendees,
categories, conferencing, recurrence, ical_recurrence`;

/** The event of a row that is not deleted. */
export async function livingRow(query: Query, id: string): Promise<LivingEvent | undefined> {
  const [row] = await query<EventRecord>(`SELECT ${eventColumns} FROM events WHERE id = $1 AND deleted_at IS NULL`, [
    id,
  ]);
  return row && livingOf(row);
}

/** The event, not deleted, that the application calls `eventId`. */
export async function livingEvent(query: Query, calendarId: string, eventId: string): Promise<LivingEvent | undefined> {
  const [row] = await query<EventRecord>(
    `SELECT ${eventColumns} FROM events WHERE calendar_id = $1 AND event_id = $2 AND deleted_at IS NULL`,
    [calendarId, eventId],
  );
  return row && livingOf(row);
}

export interface SeriesToContinue extends LivingEvent {
  eventId: string | null;
  coveredUntil: Instant;
  /** Its `updated_at`, as PostgreSQL writes it. */
  at: string;
}

/** The series of a calendar whose stored occurrences end before an instant. */
export async function seriesToContinue(
  query: Query,
  calendarId: string,
  { before, most }: { before: string; most: number },
): Promise<SeriesToContinue[]> {
  const rows = await query<EventRecord & { covered: number; event_id: string | null; at: string }>(
    `SELECT ${eventColumns}, date_part('epoch', covered_until) * 1000 AS covered, event_id, updated_at::text AS at FROM events
WHERE calendar_id = $1 AND covered_until < $2 AND deleted_at IS NULL ORDER BY covered_until, id LIMIT $3`,
    [calendarId, before, most],
  );
  return rows.map(({ covered, event_id, at, ...row }) => ({
    ...livingOf(row),
    eventId: event_id,
    coveredUntil: covered as Instant,
    at,
  }));
}

/** Whether two states, or the same parts of two, are equal. */
export function saysTheSame(a: Partial<EventState>, b: Partial<EventState>): boolean {
  return sameJson(a, b);
}

/** An event's state, from the columns that hold it. */
export function livingOf({
  id,
  starts,
  ends,
  all_day,
  participation_status,
  recurrence,
  ical_recurrence,
  ...rest
}: EventRecord): LivingEvent {
  const span = { starts: starts as Instant, ends: ends as Instant, allDay: all_day };
  const {
    summary,
    description,
    location,
    url,
    tzid,
    transparency,
    status,
    organizer,
    attendees,
    categories,
    conferencing,
  } = rest;
  const content = { summary, description, location, url, tzid, transparency, private: rest.private, status };
  const people = { participationStatus: participation_status, organizer, attendees };
  return {
    id,
    state: {
      ...content,
      ...people,
      span,
      categories,
      conferencing,
      ruleSeries: recurrence,
      icalRecurrence: ical_recurrence,
    },
  };
}
