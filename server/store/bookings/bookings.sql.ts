import { bool, bytes, command, float8, json, nullable, statement, text } from "@/server/db/statement";

/** A booking as it stands. Times in milliseconds. */
export interface BookingRow {
  id: string;
  accountId: string;
  calendarId: string;
  eventId: string;
  eventRow: string;
  digest: Buffer;
  /** Null: it is booked. */
  heldUntil: number | null;
  /** Whether its hold has ended without having been confirmed. */
  isExpired: boolean;
  /** Of a booked one: its event is there. */
  hasEvent: boolean;
  /** What reads call the event, of a series its first occurrence. */
  eventUid: string;
  /** Of a hold: the event as it was sent. */
  event: unknown;
  /** Of a hold: who has to be free when it is confirmed. Null for one of an earlier version. */
  conditions: unknown;
}

const columns = {
  id: text,
  accountId: text,
  calendarId: text,
  eventId: text,
  eventRow: text,
  digest: bytes,
  heldUntil: nullable(float8),
  isExpired: bool,
  hasEvent: bool,
  eventUid: text,
  event: nullable(json<unknown>()),
  conditions: nullable(json<unknown>()),
};

/** $2: the time; null: the database's. */
const selected = `SELECT b.id, b.account_id AS "accountId", b.calendar_id AS "calendarId", b.event_id AS "eventId", b.event_row AS "eventRow", b.digest,
  date_part('epoch', b.held_until) * 1000 AS "heldUntil", coalesce(b.held_until <= coalesce($2::timestamptz, clock_timestamp()), false) AS "isExpired",
  e.id IS NOT NULL AS "hasEvent", coalesce(e.first_uid, e.id, b.event_uid) AS "eventUid", b.event, b.conditions
FROM bookings b LEFT JOIN LATERAL (SELECT id, first_uid FROM events WHERE calendar_id = b.calendar_id AND id = b.event_row AND deleted_at IS NULL OFFSET 0) e ON true`;

/** The booking $1 of the application $3 and, if it is not null, of the account $4. */
export const bookingOfId = statement<BookingRow>(
  `${selected} WHERE b.id = $1 AND b.application_id = $3 AND b.account_id = coalesce($4, b.account_id)`,
  columns,
);

/** The booking of the event $3 in the calendar $1. */
export const bookingOfEvent = statement<BookingRow>(
  `${selected} WHERE b.calendar_id = $1 AND b.event_id = $3`,
  columns,
);

/**
 * Locks calendars in the order of their ids, as every booking does, so that two of them never wait for each other.
 * Everything that writes events locks their calendar first.
 */
export const lockCalendars = command(
  "SELECT FROM (SELECT id FROM calendars WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE) locked",
);

/** $10 to $14 are those of a hold. It ends at a whole second, as responses write it. $15: the calendars whose time it takes. */
export const insertBooking = command(
  `WITH b AS (INSERT INTO bookings (id, application_id, account_id, calendar_id, event_id, event_row, event_uid, digest, held_until, event, held_starts, held_ends, conditions)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, date_trunc('second', coalesce($9::timestamptz, clock_timestamp())) + $10::float8 * interval '1 second', $11::jsonb, $12::timestamptz[], $13::timestamptz[], $14::jsonb
RETURNING id, calendar_id, event_row, held_until)
INSERT INTO booking_calendars (booking_id, calendar_id, event_calendar_id, event_row, held_until)
SELECT id, unnest($15::text[]), calendar_id, event_row, held_until FROM b`,
);
