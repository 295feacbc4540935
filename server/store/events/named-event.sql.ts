import { prepared } from "@/server/db/client";
import { bool, float8, nullable, oneOf, statement, text, texts } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import type { CalendarToWrite } from "@/server/store/calendars/calendars.sql";
import { type EventRecord, eventColumns, eventRecord } from "@/server/store/events/events.sql";

/** What reads write of an event (`RenderedEvent`). Times in epoch seconds. */
interface RenderedRecord {
  rendered: string;
  firstUid: string | null;
  conferencingText: string | null;
  rulesText: string | null;
  contentChanged: number | null;
  eventUpdated: number;
}

/** An occurrence's row. All are null if the event has none of that name or day. Times in epoch seconds. */
interface OccurrenceRecord {
  uid: string | null;
  day: string | null;
  first: boolean | null;
  allDay: boolean | null;
  occurrenceStarts: number | null;
  occurrenceEnds: number | null;
  changesText: string | null;
  occurrenceUpdated: number | null;
}

export interface NamedRecord
  extends EventRecord,
    RenderedRecord,
    OccurrenceRecord,
    Omit<CalendarToWrite, "id" | "readonly"> {
  calendarId: string;
  /** The calendar's, beside the event's columns. */
  isReadonly: boolean;
  /** By which addresses the user is known in it, beside the account's. */
  profileName: string;
  calendarName: string;
  /** Whether the application may change events that others created, and the connect page has said so. */
  mayEditForeign: boolean;
  isDisclosed: boolean;
  /** Null: others created the event. */
  eventId: string | null;
  /** Changes whenever the event's row does. */
  version: string;
  ownTexts: readonly string[] | null;
  /** When something in the event last changed, and when what the occurrence shows did: to the microsecond. */
  eventAt: string;
  occurrenceAt: string | null;
  contentAt: string | null;
}

const epoch = (column: string) => `date_part('epoch', ${column})`;
const events = `SELECT ${eventColumns}, event_id AS "eventId", xmin::text AS version, own_texts AS "ownTexts",
  coalesce(rendered, rendered_event(events)) AS rendered, first_uid AS "firstUid", conferencing::text AS "conferencingText",
  (recurrence->'rules')::text AS "rulesText", ${epoch("content_changed_at")} AS "contentChanged", ${epoch("updated_at")} AS "eventUpdated",
  updated_at::text AS "eventAt", content_changed_at::text AS "contentAt"
  FROM events WHERE calendar_id = c.id AND id = m.master_id AND deleted_at IS NULL`;
const occurrences = `SELECT uid, day, first, all_day, starts, ends, changes, updated_at FROM occurrences
  WHERE calendar_id = c.id`;
const occurrenceColumns = `o.uid, o.day::text AS day, o.first, o.all_day AS "allDay",
  ${epoch("o.starts")} AS "occurrenceStarts", ${epoch("o.ends")} AS "occurrenceEnds", o.changes::text AS "changesText",
  ${epoch("o.updated_at")} AS "occurrenceUpdated", o.updated_at::text AS "occurrenceAt"`;

/**
 * Reads the event of an account that has an occurrence called $2, or is itself called so, with the occurrence that is
 * meant: the one of the day $3, else the one called $2, else the earliest. Each part looks into the index of one
 * calendar after another: OFFSET 0 keeps PostgreSQL from reading all calendars' rows for a join (ADR 59).
 */
export const namedEvent = statement<NamedRecord>(
  prepared(
    "event of a uid",
    `SELECT c.id AS "calendarId", c.readonly AS "isReadonly", p.provider, c.integrated_conferencing AS "integratedConferencing", c.invites,
  p.name AS "profileName", c.external_id AS "calendarName", a.edit_foreign_events AS "mayEditForeign", p.foreign_edits AS "isDisclosed", e.*, ${occurrenceColumns}
FROM calendars c JOIN profiles p ON p.id = c.profile_id JOIN applications a ON a.id = p.application_id
CROSS JOIN LATERAL (SELECT master_id FROM (
  SELECT master_id FROM occurrences WHERE calendar_id = c.id AND uid = $2
  UNION ALL SELECT id FROM events WHERE calendar_id = c.id AND id = $2) named LIMIT 1) m
CROSS JOIN LATERAL (${events} OFFSET 0) e
LEFT JOIN LATERAL (SELECT * FROM (
  (${occurrences} AND master_id = m.master_id AND day = $3::date AND state <> 2 AND $3::date IS NOT NULL ORDER BY starts LIMIT 1)
  UNION ALL (${occurrences} AND uid = $2 AND state <> 2 AND $3::date IS NULL)
  UNION ALL (${occurrences} AND master_id = $2 AND state <> 2 AND $3::date IS NULL ORDER BY day LIMIT 1)) named LIMIT 1) o ON true
WHERE c.account_id = $1 AND NOT c.deleted`,
  ),
  {
    calendarId: text,
    isReadonly: bool,
    provider: oneOf<Provider>(),
    integratedConferencing: bool,
    invites: nullable(bool),
    profileName: text,
    calendarName: text,
    mayEditForeign: bool,
    isDisclosed: bool,
    ...eventRecord,
    eventId: nullable(text),
    version: text,
    ownTexts: nullable(texts),
    rendered: text,
    firstUid: nullable(text),
    conferencingText: nullable(text),
    rulesText: nullable(text),
    contentChanged: nullable(float8),
    eventUpdated: float8,
    eventAt: text,
    contentAt: nullable(text),
    uid: nullable(text),
    day: nullable(text),
    first: nullable(bool),
    allDay: nullable(bool),
    occurrenceStarts: nullable(float8),
    occurrenceEnds: nullable(float8),
    changesText: nullable(text),
    occurrenceUpdated: nullable(float8),
    occurrenceAt: nullable(text),
  },
);
