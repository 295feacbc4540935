import { db } from "@/server/db/client";
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
