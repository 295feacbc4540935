import { bool, float8, int4, nullable, statement, text } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";

/** An event as it is now, beside the change that names it. Times in epoch seconds. */
export interface IncludedRow {
  /** The position of the change among those asked for, from 0. */
  place: number;
  /** How many bytes of text it holds. */
  bytes: number;
  id: string;
  rendered: string;
  firstUid: string | null;
  conferencing: string | null;
  rules: string | null;
  contentChanged: number | null;
  uid: string;
  day: string | null;
  first: boolean;
  allDay: boolean;
  starts: number;
  ends: number;
  changes: string | null;
  updated: number;
}

const epoch = (column: string) => `date_part('epoch', ${column})`;

/**
 * The events $2 of the calendars $1 that are there: of a series the occurrence of the day $3, without one the first that
 * is stored. In order, up to the one that reaches $4 bytes.
 */
export const includedEvents = statement<IncludedRow>(
  `SELECT place, bytes, id, rendered, "firstUid", conferencing, rules, "contentChanged", uid, day, first, "allDay", starts, ends, changes, updated
FROM (SELECT (w.place - 1)::int AS place, x.*, e.*, o.*, sum(x.bytes) OVER (ORDER BY w.place) - x.bytes AS before
  FROM unnest($1::text[], $2::text[], $3::date[]) WITH ORDINALITY w(calendar_id, event_row, day, place)
  CROSS JOIN LATERAL (SELECT id, coalesce(rendered, rendered_event(events)) AS rendered, first_uid AS "firstUid", conferencing::text AS conferencing,
    (recurrence->'rules')::text AS rules, ${epoch("content_changed_at")} AS "contentChanged"
    FROM events WHERE calendar_id = w.calendar_id AND id = w.event_row AND deleted_at IS NULL OFFSET 0) e
  CROSS JOIN LATERAL (SELECT uid, day::text AS day, first, all_day AS "allDay", ${epoch("starts")} AS starts, ${epoch("ends")} AS ends,
    changes::text AS changes, ${epoch("updated_at")} AS updated
    FROM occurrences WHERE calendar_id = w.calendar_id AND master_id = w.event_row AND state <> ${occurrenceState.deleted}
      AND day IS NOT DISTINCT FROM coalesce(w.day, day) ORDER BY day LIMIT 1) o
  CROSS JOIN LATERAL (SELECT octet_length(e.rendered) + coalesce(octet_length(o.changes), 0) AS bytes) x) found
WHERE before < $4::int ORDER BY place`,
  {
    place: int4,
    bytes: int4,
    id: text,
    rendered: text,
    firstUid: nullable(text),
    conferencing: nullable(text),
    rules: nullable(text),
    contentChanged: nullable(float8),
    uid: text,
    day: nullable(text),
    first: bool,
    allDay: bool,
    starts: float8,
    ends: float8,
    changes: nullable(text),
    updated: float8,
  },
);
