import { db } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";
import { freeBusyStatus, occurrenceState } from "@/server/domain/free-busy";

/** An event as a provider's sync would leave it in the database. */
export interface ProviderEvent {
  calendarId: string;
  /** Both dates, or both times. */
  start: string;
  end: string;
  uid?: string;
  summary?: string;
  /** The application's name for it: without one it is an event of others. */
  eventId?: string | null;
  state?: keyof typeof occurrenceState;
  /** To the microsecond. */
  updated?: string;
  transparency?: "opaque" | "transparent";
  status?: string;
  reply?: string;
}

const insert = `WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS g(uid text, calendar_id text, event_id text, summary text, all_day boolean,
    starts timestamptz, ends timestamptz, transparency text, status text, reply text, state smallint, free_busy text, updated timestamptz)),
e AS (
  INSERT INTO events (id, calendar_id, event_id, external_id, summary, all_day, starts, ends, transparency, status,
    participation_status, created_at, updated_at, deleted_at)
  SELECT uid, calendar_id, event_id, uid, summary, all_day, starts, ends, transparency, status, reply, updated, updated,
    CASE WHEN state = 2 THEN updated END FROM given RETURNING id)
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, is_long, managed, state, starts, ends, free_busy, updated_at)
SELECT uid, uid, calendar_id, event_id, all_day, ends - starts > interval '24 hours', event_id IS NOT NULL, state, starts, ends,
  free_busy, updated FROM given`;

/** Puts events into the database as a sync does, in one statement; gives their uids in the same order. */
export async function storeProviderEvents(events: readonly ProviderEvent[]): Promise<string[]> {
  const rows = events.map(stored);
  await db().query(insert, [JSON.stringify(rows)]);
  return rows.map(({ uid }) => uid);
}

function stored(event: ProviderEvent) {
  const { transparency = "opaque", status = "confirmed", state = "live" } = event;
  const reply = event.reply ?? (state === "declined" ? "declined" : "accepted");
  const allDay = event.start.length === 10;
  return {
    uid: event.uid ?? newId("evt"),
    calendar_id: event.calendarId,
    event_id: event.eventId ?? null,
    summary: event.summary ?? "",
    all_day: allDay,
    starts: allDay ? `${event.start}T00:00:00Z` : event.start,
    ends: allDay ? `${event.end}T00:00:00Z` : event.end,
    transparency,
    status,
    reply,
    state: occurrenceState[state],
    free_busy: freeBusyStatus({
      transparency: transparency === "transparent" ? "transparent" : "opaque",
      status,
      participationStatus: reply,
    }),
    updated: event.updated ?? "2026-01-01T00:00:00Z",
  };
}

/** Adds calendars to an account's profile; numbers count on from `firstNumber`, `step` apart. */
export async function addCalendars(
  { accountId, profileId }: { accountId: string; profileId: string },
  count: number,
  { firstNumber = 2, step = 1 } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId("cal"));
  await db().query(
    `INSERT INTO calendars (id, account_id, profile_id, number, external_id, name)
SELECT id, $2, $3, $4 + (place - 1) * $5, id, 'More' FROM unnest($1::text[]) WITH ORDINALITY AS given(id, place)`,
    [ids, accountId, profileId, firstNumber, step],
  );
  return ids;
}

/** The ids of a calendar's events, deleted ones too. */
export async function eventIds(calendarId: string): Promise<string[]> {
  return (await storedEvents(calendarId)).map(({ id }) => id);
}

/** A calendar's events, deleted ones too, in the order in which they were made. */
export async function storedEvents(calendarId: string) {
  return await db().prisma.event.findMany({ where: { calendarId }, orderBy: { createdAt: "asc" } });
}

/** A calendar's events that are not deleted, in the order of their summaries. */
export async function livingEvents(calendarId: string) {
  return await db().prisma.event.findMany({ where: { calendarId, deletedAt: null }, orderBy: { summary: "asc" } });
}

export async function changeEvents(
  of: { id: string } | { calendarId: string; eventId?: string },
  changes: Prisma.EventUncheckedUpdateManyInput,
): Promise<void> {
  await db().prisma.event.updateMany({ where: of, data: changes });
}

/** The provider has all events that were written so far, under names of their own. */
export async function setPushed(calendarId: string, etag: string): Promise<void> {
  await db().query(
    "UPDATE events SET external_id = coalesce(external_id, '/' || event_id || '.ics'), etag = $2 WHERE calendar_id = $1",
    [calendarId, etag],
  );
}

/** The guest has replied to all of the calendar's events that invite them. */
export async function setReply(calendarId: string, email: string, status: string): Promise<void> {
  await db().query(
    `UPDATE events SET attendees = (SELECT jsonb_agg(CASE WHEN g->>'email' = $2 THEN g || jsonb_build_object('status', $3::text) ELSE g END)
FROM jsonb_array_elements(attendees) g) WHERE calendar_id = $1`,
    [calendarId, email, status],
  );
}

/** When the calendar's one event was changed last, to the microsecond, or so long after it. */
export async function eventChangedAt(calendarId: string, { after = "0" } = {}): Promise<string> {
  const rows = await db().query<{ at: string }>(
    `SELECT to_char((updated_at + $2::interval) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM events WHERE calendar_id = $1`,
    [calendarId, after],
  );
  return rows[0]?.at ?? "";
}

/** A calendar's occurrences by their original days: when each was changed last, to the microsecond, and whether its row was written since. */
export async function storedOccurrences(
  calendarId: string,
): Promise<{ uid: string; masterId: string; day: string | null; updatedAt: string; written: string }[]> {
  return await db().query(
    `SELECT uid, master_id AS "masterId", day::text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt",
  xmin::text || ctid::text AS written FROM occurrences WHERE calendar_id = $1 ORDER BY day, uid`,
    [calendarId],
  );
}

/** The counts of occurrences by day and by month that `pages.total` is made of: as the database keeps them, and as they are. */
export async function keptCounts(calendarIds: readonly string[]): Promise<{ kept: object[]; counted: object[] }> {
  const kept = await db().query(
    `SELECT 'day' AS of, calendar_id, all_day, managed, day::text, live, declined, deleted FROM calendar_days
WHERE calendar_id = ANY ($1) AND (live, declined, deleted) <> (0, 0, 0)
UNION ALL SELECT 'month', calendar_id, all_day, managed, month::text, live, declined, deleted FROM calendar_months
WHERE calendar_id = ANY ($1) AND (live, declined, deleted) <> (0, 0, 0) ORDER BY 1, 2, 3, 4, 5`,
    [calendarIds],
  );
  const counted = await db().query(
    `SELECT of, calendar_id, all_day, managed, date_trunc(of, starts AT TIME ZONE 'UTC')::date::text AS day, count(*) FILTER (WHERE state = 0)::int AS live,
  count(*) FILTER (WHERE state = 1)::int AS declined, count(*) FILTER (WHERE state = 2)::int AS deleted
FROM occurrences CROSS JOIN (VALUES ('day'), ('month')) v(of) WHERE calendar_id = ANY ($1) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    [calendarIds],
  );
  return { kept, counted };
}

/** All occurrences were so many days earlier. For files with a database of their own. */
export async function backdateOccurrences(days: number): Promise<void> {
  await db().query(
    "UPDATE occurrences SET starts = starts - $1 * interval '1 day', ends = ends - $1 * interval '1 day'",
    [days],
  );
}

/** The occurrence is at another time since now. */
export async function moveOccurrence(uid: string, { start, end }: { start: string; end: string }): Promise<void> {
  const allDay = start.length === 10;
  const [starts, ends] = [start, end].map((time) => (allDay ? `${time}T00:00:00Z` : time));
  await db().query(
    `UPDATE occurrences SET all_day = $2, starts = $3, ends = $4, is_long = $4::timestamptz - $3::timestamptz > interval '24 hours',
updated_at = now() WHERE uid = $1`,
    [uid, allDay, starts, ends],
  );
}

export async function deleteOccurrence(uid: string): Promise<void> {
  const { deleted } = occurrenceState;
  await db().query("UPDATE occurrences SET state = $2, updated_at = now() WHERE uid = $1", [uid, deleted]);
}
