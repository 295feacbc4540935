import { deletingBatch } from "@/server/db/batches";
import { int4, statement } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";

const columns = { n: int4 };

/** Returns SQL for whether the event of a booking goes on after $1, or may: a series that is not continued until there yet. */
const goesOn = (calendarId: string, eventRow: string) =>
  `EXISTS (SELECT FROM events e WHERE e.calendar_id = ${calendarId} AND e.id = ${eventRow} AND e.deleted_at IS NULL
    AND (e.covered_until IS NOT NULL OR EXISTS (SELECT FROM occurrences o WHERE o.calendar_id = e.calendar_id AND o.master_id = e.id
      AND o.state <> ${occurrenceState.deleted} AND o.ends > $1)))`;

/** Forgets what holds were of that expired before $1, at most $2 of them. */
export const clearHolds = statement<{ n: number }>(
  `WITH batch AS MATERIALIZED (SELECT ctid FROM bookings WHERE held_until < $1 AND event IS NOT NULL LIMIT $2 FOR UPDATE SKIP LOCKED),
cleared AS (UPDATE bookings SET event = NULL, conditions = NULL, held_starts = '{}', held_ends = '{}' WHERE ctid = ANY (ARRAY(SELECT ctid FROM batch)) RETURNING 1)
SELECT count(*)::int AS n FROM cleared`,
  columns,
);

/** Holds that expired before $1, and events that were over by then, take no calendar's time any more. */
export const dropTimes = statement<{ n: number }>(
  deletingBatch(
    "booking_calendars",
    `coalesce(held_until < $1, NOT ${goesOn("booking_calendars.event_calendar_id", "booking_calendars.event_row")})`,
  ),
  columns,
);

/** Bookings that are older than $1 and were over, or whose event was deleted, before it. */
export const dropBookings = statement<{ n: number }>(
  deletingBatch(
    "bookings",
    `created_at < $1 AND coalesce(held_until < $1, NOT ${goesOn("bookings.calendar_id", "bookings.event_row")}
  AND NOT EXISTS (SELECT FROM events e WHERE e.calendar_id = bookings.calendar_id AND e.id = bookings.event_row AND e.deleted_at >= $1))`,
  ),
  columns,
);
