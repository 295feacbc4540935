import { bool, type Column, command, statement, text } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";
import { isInvitation } from "@/server/store/bookings/invitations.sql";

const instant: Column<Instant> = { type: "float8", isNullable: false };

/** Two occurrences whose times overlap, or whose days may: in milliseconds, all-day ones as UTC midnights. */
export interface OverlapRow {
  /** The row of the booked event. */
  eventRow: string;
  bookedAllDay: boolean;
  bookedStarts: Instant;
  bookedEnds: Instant;
  /** Of the booked event's owner, whose days count for it. */
  bookedTzid: string;
  allDay: boolean;
  starts: Instant;
  ends: Instant;
  tzid: string;
}

const takes = (o: string) =>
  `${o}.state = ${occurrenceState.live} AND ${o}.free_busy <> 'free' AND ${o}.ends > ${o}.starts`;
const milliseconds = (column: string) => `date_part('epoch', ${column}) * 1000`;
/** No zone's day begins further away from its midnight in UTC. */
const slack = "CASE WHEN o.all_day OR m.all_day THEN interval '1 day' ELSE interval '0' END";

/**
 * What others changed in the calendar $1 since $2, beside each booking whose time there it may take. Invitations to the
 * booked event are left out.
 */
export const overlaps = statement<OverlapRow>(
  `SELECT b.event_row AS "eventRow", m.all_day AS "bookedAllDay", ${milliseconds("m.starts")} AS "bookedStarts", ${milliseconds("m.ends")} AS "bookedEnds",
  y.default_tzid AS "bookedTzid", o.all_day AS "allDay", ${milliseconds("o.starts")} AS starts, ${milliseconds("o.ends")} AS ends, x.default_tzid AS tzid
FROM calendars c JOIN accounts x ON x.id = c.account_id
JOIN booking_calendars k ON k.calendar_id = c.id JOIN bookings b ON b.id = k.booking_id AND b.held_until IS NULL JOIN accounts y ON y.id = b.account_id
JOIN events e ON e.calendar_id = b.calendar_id AND e.id = b.event_row AND e.deleted_at IS NULL
CROSS JOIN LATERAL (SELECT m.all_day, m.starts, m.ends FROM occurrences m WHERE m.calendar_id = b.calendar_id AND m.master_id = b.event_row AND ${takes("m")} OFFSET 0) m
JOIN occurrences o ON o.calendar_id = c.id AND o.updated_at >= $2::timestamptz AND o.master_id <> b.event_row AND ${takes("o")}
  AND o.starts < m.ends + ${slack} AND o.ends > m.starts - ${slack}
JOIN events f ON f.calendar_id = o.calendar_id AND f.id = o.master_id
WHERE c.id = $1 AND NOT (${isInvitation})`,
  {
    eventRow: text,
    bookedAllDay: bool,
    bookedStarts: instant,
    bookedEnds: instant,
    bookedTzid: text,
    allDay: bool,
    starts: instant,
    ends: instant,
    tzid: text,
  },
);

/** Notes the bookings of the events $2 in the feed of the calendar $1. The calendar is locked. */
export const noteConflicts = command(
  `INSERT INTO event_changes (calendar_id, event_row, at, kind, own)
SELECT c.id, w.event_row, c.changed_at, 'booking_conflict', false FROM calendars c, unnest($2::text[]) w(event_row) WHERE c.id = $1`,
);
