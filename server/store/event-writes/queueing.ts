/** Gives the place of a named value in a statement. */
export type Place = (name: string) => string;

export const queueNames = ["name", "notify", "removed_guests", "guests", "changed_fields", "now"];

/**
 * SQL that queues a written event `e` for the provider of its calendar, of which `stamp` gives the profile and the account. A push in progress
 * continues, and the raised revision tells it that more has been written. A reverted write is not sent again. Whether the profile is connected is
 * read once the calendar is locked: who connects or disconnects it holds its calendars, and then changes the writes that it finds.
 */
export const queueing = (p: Place) => `w AS (INSERT INTO provider_writes AS w
  (event_row, calendar_id, profile_id, account_id, name, notify, removed_guests, changed_fields, suspended, due_at, created_at)
  SELECT e.id, $1, s.profile_id, s.account_id, ${p("name")}, ${p("notify")}::boolean, ${p("removed_guests")}::text[], ${p("changed_fields")}::text[],
    NOT profile_connected_now(s.profile_id), t.now, t.now
  FROM e, stamp s, LATERAL (SELECT coalesce(${p("now")}::timestamptz, least(s.changed_at, clock_timestamp())) AS now) t
  ON CONFLICT (calendar_id, event_row) DO UPDATE SET revision = w.revision + 1, notify = w.notify OR excluded.notify,
    removed_guests = ARRAY(SELECT unnest(w.removed_guests || excluded.removed_guests) EXCEPT SELECT unnest(${p("guests")}::text[])),
    changed_fields = CASE WHEN w.reverted_at IS NOT NULL THEN excluded.changed_fields
      WHEN w.changed_fields IS NOT NULL AND excluded.changed_fields IS NOT NULL
      THEN ARRAY(SELECT unnest(w.changed_fields) UNION SELECT unnest(excluded.changed_fields)) END,
    suspended = excluded.suspended, due_at = excluded.due_at, created_at = excluded.created_at, attempts = 0, refused_at = NULL,
    reverted_at = NULL, last_error = NULL)`;
