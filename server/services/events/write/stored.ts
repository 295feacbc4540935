import type { Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { StoredSpan } from "@/server/domain/events/moment";
import type { FreeBusyStatus } from "@/server/domain/free-busy";
import { formatInstant } from "@/server/domain/time/instant";
import { stamp } from "@/server/services/events/on-calendar";

/** What a single event keeps of a body. */
export interface StoredEvent {
  span: StoredSpan;
  summary: string;
  description: string;
  location: string | null;
  url: string | null;
  tzid: string | null;
  transparency: "opaque" | "transparent";
  freeBusy: FreeBusyStatus;
}

interface Living {
  id: string;
  same: boolean;
}

/** The living event of this name, and whether it already says all of `event`. */
export async function findLiving(
  query: Query,
  calendarId: string,
  eventId: string,
  event: StoredEvent,
): Promise<Living | undefined> {
  const [living] = await query<Living>(
    `SELECT id, (summary, description, location, url, all_day, starts, ends, tzid, transparency)
  IS NOT DISTINCT FROM ($3::text, $4::text, $5::text, $6::text, $7::boolean, $8::timestamptz, $9::timestamptz, $10::text, $11::text) AS same
FROM events WHERE calendar_id = $1 AND event_id = $2 AND deleted_at IS NULL`,
    [calendarId, eventId, ...columns(event)],
  );
  return living;
}

/** Stores a new event and its occurrence. `organizer` is the calendar's owner. */
export async function insertEvent(
  query: Query,
  calendarId: string,
  eventId: string,
  event: StoredEvent & { organizer: object },
) {
  await query(
    `WITH ${stamp}, e AS (
  INSERT INTO events (id, calendar_id, event_id, summary, description, location, url, all_day, starts, ends, tzid, transparency,
    organizer, created_at, updated_at)
  SELECT $2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, changed_at, changed_at FROM stamp RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, is_long, managed, starts, ends, free_busy, updated_at)
SELECT id, id, calendar_id, event_id, all_day, $14, true, starts, ends, $15, updated_at FROM e`,
    [
      calendarId,
      newId("evt"),
      eventId,
      ...columns(event),
      JSON.stringify(event.organizer),
      event.span.isLong,
      event.freeBusy,
    ],
  );
}

/** Replaces what an event and its occurrence say. */
export async function updateEvent(query: Query, calendarId: string, id: string, event: StoredEvent) {
  await query(
    `WITH ${stamp}, e AS (
  UPDATE events SET summary = $3, description = $4, location = $5, url = $6, all_day = $7, starts = $8, ends = $9, tzid = $10,
    transparency = $11, updated_at = changed_at
  FROM stamp WHERE events.id = $2 RETURNING events.*)
UPDATE occurrences o SET all_day = e.all_day, is_long = $12, starts = e.starts, ends = e.ends, free_busy = $13, updated_at = e.updated_at
FROM e WHERE o.master_id = e.id`,
    [calendarId, id, ...columns(event), event.span.isLong, event.freeBusy],
  );
}

/** Marks an event and its occurrences deleted; they stay for reads with include_deleted. */
export async function deleteEvent(query: Query, calendarId: string, eventId: string) {
  await query(
    `WITH ${stamp}, e AS (
  UPDATE events SET deleted_at = changed_at, updated_at = changed_at FROM stamp
  WHERE calendar_id = $1 AND event_id = $2 AND deleted_at IS NULL RETURNING events.*)
UPDATE occurrences o SET state = 2, updated_at = e.updated_at FROM e WHERE o.master_id = e.id`,
    [calendarId, eventId],
  );
}

function columns({ summary, description, location, url, span, tzid, transparency }: StoredEvent): unknown[] {
  return [
    summary,
    description,
    location,
    url,
    span.allDay,
    formatInstant(span.starts),
    formatInstant(span.ends),
    tzid,
    transparency,
  ];
}
