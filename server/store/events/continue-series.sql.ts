import { command, float8, nullable, statement, text } from "@/server/db/statement";
import { type EventRecord, eventColumns, eventRecord } from "@/server/store/events/events.sql";

export const lockCalendarRow = command("SELECT FROM calendars WHERE id = $1 FOR NO KEY UPDATE");

interface SeriesRecord extends EventRecord {
  covered: number;
  event_id: string | null;
  /** Its `updated_at`, as PostgreSQL writes it. */
  at: string;
}

/** A calendar's series whose stored occurrences end before an instant. */
export const seriesToContinue = statement<SeriesRecord>(
  `SELECT ${eventColumns}, date_part('epoch', covered_until) * 1000 AS covered, event_id, updated_at::text AS at FROM events
WHERE calendar_id = $1 AND covered_until < $2 AND deleted_at IS NULL ORDER BY covered_until, id LIMIT $3`,
  { ...eventRecord, covered: float8, event_id: nullable(text), at: text },
);

export const coverEvent = command("UPDATE events SET covered_until = $3 WHERE calendar_id = $1 AND id = $2");

export const coverCalendar = command(
  `UPDATE calendars SET covered_until = (SELECT min(covered_until) FROM events WHERE calendar_id = $1 AND deleted_at IS NULL) WHERE id = $1`,
);
