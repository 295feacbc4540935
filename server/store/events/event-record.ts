import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { EventState } from "@/server/domain/events/event-state";
import { sameJson } from "@/server/domain/same-json";
import type { Instant } from "@/server/domain/time/instant";
import { type EventRecord, livingEventOfId, livingEventOfRow } from "@/server/store/events/events.sql";

export interface LivingEvent {
  id: string;
  state: EventState;
}

/** Loads the event of a row that is not deleted. */
export async function livingRow(query: Query, calendarId: string, id: string): Promise<LivingEvent | undefined> {
  const [row] = await run(query, livingEventOfRow, [calendarId, id]);
  return row && livingOf(row);
}

/** Loads the event, not deleted, that the application calls `eventId`. */
export async function livingEvent(query: Query, calendarId: string, eventId: string): Promise<LivingEvent | undefined> {
  const [row] = await run(query, livingEventOfId, [calendarId, eventId]);
  return row && livingOf(row);
}

/** Compares two states, or the same parts of two. */
export function sameContent(a: Partial<EventState>, b: Partial<EventState>): boolean {
  return sameJson(a, b);
}

/** Reads an event's state from its columns. */
export function livingOf(row: EventRecord): LivingEvent {
  return {
    id: row.id,
    state: {
      summary: row.summary,
      description: row.description,
      location: row.location,
      url: row.url,
      span: { starts: row.starts as Instant, ends: row.ends as Instant, allDay: row.all_day },
      tzid: row.tzid,
      transparency: row.transparency,
      private: row.private,
      status: row.status,
      participationStatus: row.participation_status,
      organizer: row.organizer,
      attendees: row.attendees,
      categories: row.categories,
      conferencing: row.conferencing,
      ruleSeries: row.recurrence,
      icalRecurrence: row.ical_recurrence,
    },
  };
}
