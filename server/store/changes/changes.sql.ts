import { deletingBatch } from "@/server/db/batches";
import { bool, type Column, float8, int4, nullable, statement, text, textOf } from "@/server/db/statement";
import type { ChangedField, ChangeKind } from "@/server/domain/events/change-kind";

export interface FeedCalendar {
  id: string;
  number: number;
  isDeleted: boolean;
  /** The number of its last change, 0 without one. */
  last: number;
}

/** The calendars of an account, with where the feed of each stands. */
export const feedCalendars = statement<FeedCalendar>(
  `SELECT c.id, c.number, c.deleted AS "isDeleted", coalesce(l.number, 0)::float8 AS last FROM calendars c
LEFT JOIN LATERAL (SELECT number FROM event_changes WHERE calendar_id = c.id ORDER BY number DESC LIMIT 1) l ON true
WHERE c.account_id = $1 ORDER BY c.number`,
  { id: text, number: int4, isDeleted: bool, last: float8 },
);

/** A change, or an event that exists. Times in milliseconds. */
export interface ChangeRow {
  /** The position of its calendar among those asked for, from 0. */
  place: number;
  number: number;
  kind: ChangeKind;
  fields: ChangedField[];
  own: boolean;
  at: number;
  occurrenceDate: string | null;
  eventRow: string;
  eventUid: string;
  eventId: string | null;
  isSeries: boolean;
}

const changed: Column<ChangedField[]> = { type: "_text", isNullable: false };
const columns = {
  place: int4,
  number: float8,
  kind: textOf<ChangeKind>(),
  fields: changed,
  own: bool,
  at: float8,
  occurrenceDate: nullable(text),
  eventRow: text,
  eventUid: text,
  eventId: nullable(text),
  isSeries: bool,
};

// A booking whose time was taken in another calendar than its event's is noted there.
const ofEvent = `coalesce(e.first_uid, c.event_row) AS "eventUid",
  coalesce(e.event_id, CASE WHEN c.kind = 'booking_conflict' THEN (SELECT b.event_id FROM bookings b WHERE b.event_row = c.event_row) END) AS "eventId",
  e.first_uid IS NOT NULL AS "isSeries"`;

/** Changes in the calendars $1 after the numbers $2, at most $3, by time: those of a calendar are in their order. */
export const changesAfter = statement<ChangeRow>(
  `SELECT (w.place - 1)::int AS place, c.number::float8 AS number, c.kind, coalesce(c.fields, '{}') AS fields, c.own, date_part('epoch', c.at) * 1000 AS at,
  c.occurrence_date::text AS "occurrenceDate", c.event_row AS "eventRow", ${ofEvent}
FROM unnest($1::text[], $2::float8[]) WITH ORDINALITY w(calendar_id, after, place)
CROSS JOIN LATERAL (SELECT * FROM event_changes c WHERE c.calendar_id = w.calendar_id AND c.number > w.after::bigint ORDER BY c.number LIMIT $3) c
LEFT JOIN LATERAL (SELECT first_uid, event_id FROM events WHERE calendar_id = c.calendar_id AND id = c.event_row OFFSET 0) e ON true
ORDER BY c.at, c.number LIMIT $3`,
  columns,
);

/** Events in the calendars $1 whose rows come after $2, at most $3, by calendar. */
export const eventsThere = statement<ChangeRow>(
  `SELECT (w.place - 1)::int AS place, 0::float8 AS number, 'created' AS kind, '{}'::text[] AS fields, c.event_id IS NOT NULL AS own,
  date_part('epoch', c.updated_at) * 1000 AS at, NULL::text AS "occurrenceDate", c.id AS "eventRow", coalesce(c.first_uid, c.id) AS "eventUid",
  c.event_id AS "eventId", c.first_uid IS NOT NULL AS "isSeries"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY w(calendar_id, after, place)
CROSS JOIN LATERAL (SELECT id, event_id, updated_at, first_uid FROM events
  WHERE calendar_id = w.calendar_id AND id > w.after AND deleted_at IS NULL ORDER BY id LIMIT $3) c
ORDER BY w.place, c.id LIMIT $3`,
  columns,
);

/** The changes that the delivery $1 tells of: those since its `changes_since` that pass the channel's filters, at most $2. */
export const changesOfDelivery = statement<Omit<ChangeRow, "place"> & { calendarId: string }>(
  `SELECT c.calendar_id AS "calendarId", c.number::float8 AS number, c.kind, coalesce(c.fields, '{}') AS fields, c.own, date_part('epoch', c.at) * 1000 AS at,
  c.occurrence_date::text AS "occurrenceDate", c.event_row AS "eventRow", ${ofEvent}
FROM deliveries d JOIN channels n ON n.id = d.channel_id JOIN calendars k ON k.account_id = d.account_id
CROSS JOIN LATERAL (SELECT c.* FROM event_changes c WHERE c.calendar_id = k.id AND c.at >= date_trunc('second', d.changes_since)
  AND (n.only_managed IS NOT TRUE OR (SELECT event_id FROM events WHERE calendar_id = c.calendar_id AND id = c.event_row) IS NOT NULL)
  ORDER BY c.at, c.number LIMIT $2) c
LEFT JOIN LATERAL (SELECT first_uid, event_id FROM events WHERE calendar_id = c.calendar_id AND id = c.event_row OFFSET 0) e ON true
WHERE d.id = $1 AND d.state = 'pending' AND (n.all_calendars OR k.id = ANY (n.calendar_ids))
ORDER BY c.at, c.number LIMIT $2`,
  { calendarId: text, ...(({ place: _, ...rest }) => rest)(columns) },
);

export const dropEventChanges = statement<{ n: number }>(deletingBatch("event_changes", "at < $1"), { n: int4 });
