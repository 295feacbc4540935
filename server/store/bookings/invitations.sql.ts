import { statement, text } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";

/**
 * Compares an event `f` that others have, with an occurrence `o`, with an event `e` of the application's and an
 * occurrence `m`. The same time and title, and guests: it is the copy that the provider put into a guest's calendar.
 * Providers give copies other names.
 */
export const isInvitation = `f.event_id IS NULL AND f.summary = e.summary AND e.attendees <> '[]'
  AND o.all_day = m.all_day AND o.starts = m.starts AND o.ends = m.ends AND (f.first_uid IS NULL) = (e.first_uid IS NULL)`;

/** The copies of the event $2 of the calendar $1 in the calendars $3: its guests have them. */
export const invitationsTo = statement<{ id: string }>(
  `SELECT DISTINCT f.id FROM events e
JOIN occurrences m ON m.calendar_id = e.calendar_id AND m.master_id = e.id AND m.state = ${occurrenceState.live}
CROSS JOIN LATERAL (SELECT f.id FROM unnest($3::text[]) w(calendar_id)
  CROSS JOIN LATERAL (SELECT o.* FROM occurrences o WHERE o.calendar_id = w.calendar_id AND o.all_day = m.all_day AND NOT o.managed
    AND o.starts = m.starts AND o.state <> ${occurrenceState.deleted} OFFSET 0) o
  JOIN events f ON f.calendar_id = o.calendar_id AND f.id = o.master_id
  WHERE f.id <> e.id AND ${isInvitation} OFFSET 0) f
WHERE e.calendar_id = $1 AND e.id = $2 AND e.deleted_at IS NULL`,
  { id: text },
);
