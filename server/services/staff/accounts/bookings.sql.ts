import { jsonText, nullable, statement, text, textOf, timestamp } from "@/server/db/statement";
import type { AccountBooking } from "@/server/services/staff/accounts/shapes";

/** How many of an account's bookings are shown. */
const MOST = 100;

export interface BookingOfAccount extends Omit<AccountBooking, "createdAt" | "heldUntil"> {
  createdAt: Date;
  heldUntil: Date | null;
}

/** The bookings in the calendars of the account $1. $2: the time; null: the database's. */
export const bookingsOfAccount = statement<BookingOfAccount>(
  `SELECT b.id, b.calendar_id AS "calendarId", b.name AS "calendarName", b.event_id AS "eventId", b.created_at AS "createdAt", b.held_until AS "heldUntil",
  CASE WHEN b.held_until IS NULL THEN CASE WHEN EXISTS (SELECT FROM events WHERE calendar_id = b.calendar_id AND id = b.event_row AND deleted_at IS NULL OFFSET 0) THEN 'booked' ELSE 'cancelled' END
    WHEN b.held_until <= coalesce($2::timestamptz, clock_timestamp()) THEN 'expired' ELSE 'held' END AS state,
  (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'accountId', k.account_id) ORDER BY k.id), '[]')
    FROM booking_calendars t JOIN calendars k ON k.id = t.calendar_id WHERE t.booking_id = b.id) AS takes
FROM (SELECT b.*, k.name FROM (SELECT id, name FROM calendars WHERE account_id = $1 OFFSET 0) k JOIN bookings b ON b.calendar_id = k.id
  ORDER BY b.created_at DESC, b.id DESC LIMIT ${MOST}) b ORDER BY b.created_at DESC, b.id DESC`,
  {
    ...{ id: text, calendarId: text, calendarName: text, eventId: text, createdAt: timestamp },
    heldUntil: nullable(timestamp),
    state: textOf<AccountBooking["state"]>(),
    takes: jsonText<AccountBooking["takes"]>(),
  },
);
