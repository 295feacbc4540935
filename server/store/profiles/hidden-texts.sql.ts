import { bool, command, float8, nullable, statement, text } from "@/server/db/statement";
import { HIDDEN_SUMMARY, hiddenFields } from "@/server/domain/events/hidden-texts";
import { stamp } from "@/server/store/calendars/calendars.sql";

/** Everything in the calendars of the profile $1 is read again as if nothing were known of it. */
export const forgetReads = command(
  "UPDATE calendars SET reader = -1, sync_token = NULL, ctag = NULL, stale_at = clock_timestamp() WHERE profile_id = $1 AND NOT deleted",
);

export const calendarsToHide = statement<{ id: string; isShown: boolean }>(
  `SELECT c.id, NOT c.deleted AND NOT p.initial_sync_required AS "isShown" FROM calendars c JOIN profiles p ON p.id = c.profile_id
WHERE p.id = $1 ORDER BY c.id`,
  { id: text, isShown: bool },
);

const hidden = `'{${hiddenFields.join(",")}}'::text[]`;
const entries = (list: string) => `jsonb_array_elements(${list}) WITH ORDINALITY AS one(entry, place)`;

/** The application's series without texts of single days and replies to them. The read that follows brings the user's own back. */
const ruleSeries = (column: string) => `(${column} - 'replies') || jsonb_build_object('changed', coalesce(
    (SELECT jsonb_agg(entry || '{"texts": {}}' ORDER BY place) FROM ${entries(`${column} -> 'changed'`)} WHERE entry -> 'span' <> 'null'), '[]'))`;

/** A provider's series whose exceptions have no texts. */
const icalRecurrence = `ical_recurrence || jsonb_build_object('overrides', coalesce(
    (SELECT jsonb_agg(entry || jsonb_build_object('fields', (entry -> 'fields') - ${hidden}) ORDER BY place)
      FROM ${entries("ical_recurrence -> 'overrides'")}), '[]'))`;

/**
 * Leaves of the events of the calendar $1, deleted ones too, what `hiddenTexts` leaves, and of writes that wait, which
 * are refused, nothing. `at`: in milliseconds.
 */
export const hideTextsOfCalendar = statement<{ at: number | null }>(
  `WITH ${stamp("NULL")}, e AS (
  UPDATE events SET summary = '${HIDDEN_SUMMARY}', description = '', location = NULL, url = NULL, private = false, organizer = NULL,
    attendees = '[]', categories = '[]', conferencing = NULL, link_due_at = NULL, own_texts = NULL,
    recurrence = ${ruleSeries("recurrence")}, base_recurrence = ${ruleSeries("base_recurrence")}, ical_recurrence = ${icalRecurrence},
    updated_at = CASE WHEN deleted_at IS NULL THEN changed_at ELSE updated_at END,
    content_changed_at = CASE WHEN deleted_at IS NULL THEN changed_at ELSE content_changed_at END
  FROM stamp WHERE calendar_id = $1 RETURNING events.id, deleted_at, changed_at),
o AS (UPDATE occurrences o SET changes = nullif(changes - ${hidden}, '{}'),
    updated_at = CASE WHEN e.deleted_at IS NULL THEN e.changed_at ELSE o.updated_at END
  FROM e WHERE o.calendar_id = $1 AND o.master_id = e.id AND (o.day IS NULL OR o.changes ?| ${hidden})),
w AS (UPDATE provider_writes SET removed_guests = '{}', changed_fields = NULL, replies = NULL WHERE calendar_id = $1)
SELECT floor(date_part('epoch', max(changed_at)) * 1000) AS at FROM e WHERE deleted_at IS NULL`,
  { at: nullable(float8) },
);
