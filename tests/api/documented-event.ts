import { db } from "@/server/db/client";
import type { Conferencing } from "@/server/domain/events/conferencing";
import type { OccurrenceChanges, Person } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { meetingServiceName, type Vocabulary } from "@/server/domain/wire-names";
import type { TimeWriter } from "@/server/services/reads/times";

interface StoredRow extends Omit<Required<OccurrenceChanges>, "conferencing"> {
  calendar_id: string;
  uid: string;
  event_id: string | null;
  all_day: boolean;
  starts: number;
  ends: number;
  deleted: boolean;
  created: number;
  updated: number;
  attendees: Guest[];
  organizer: Person | null;
  categories: string[];
  conferencing: Conferencing;
  rules: object[] | null;
  first_uid: string | null;
  master_id: string;
  day: string | null;
  changes: OccurrenceChanges | null;
}

/** The documented events ("Event (GET /v1/events)") of a calendar, from the columns of their rows, by event_uid. */
export async function documentedEvents(calendarId: string, write: TimeWriter, names: Vocabulary) {
  const rows = await db().query<StoredRow>(
    `SELECT o.uid, o.calendar_id, o.event_id, o.all_day, date_part('epoch', o.starts) AS starts, date_part('epoch', o.ends) AS ends,
o.state = 2 AS deleted, date_part('epoch', e.created_at) AS created,
date_part('epoch', CASE WHEN o.state = 2 THEN o.updated_at ELSE greatest(o.updated_at, e.content_changed_at) END) AS updated,
e.summary, e.description, e.location, e.url, e.participation_status, e.attendees, e.transparency, e.private, e.organizer, e.status,
e.categories, e.conferencing, CASE WHEN o.first THEN e.recurrence->'rules' END AS rules, e.first_uid, o.master_id, o.day::text AS day, o.changes
FROM occurrences o JOIN events e ON e.id = o.master_id WHERE o.calendar_id = $1`,
    [calendarId],
  );
  return new Map(rows.map((row) => [row.uid, documentedEvent({ ...row, ...row.changes }, write, names)]));
}

function documentedEvent(row: StoredRow, write: TimeWriter, names: Vocabulary) {
  return {
    calendar_id: row.calendar_id,
    event_uid: row.uid,
    ...(row.event_id !== null && { event_id: row.event_id }),
    summary: row.summary,
    description: row.description,
    start: write(row.starts, row.all_day),
    end: write(row.ends, row.all_day),
    deleted: row.deleted,
    created: formatInstant((row.created * 1000) as Instant),
    updated: formatInstant((row.updated * 1000) as Instant),
    ...(row.location !== null && { location: { description: row.location } }),
    ...(row.url !== null && { url: row.url }),
    participation_status: row.participation_status,
    attendees: row.attendees,
    transparency: row.transparency,
    extended_transparency: row.transparency,
    event_private: row.private,
    organizer: row.organizer,
    status: row.status,
    categories: row.categories,
    recurring: row.day !== null,
    ...(row.day !== null && ofSeries(row, row.day)),
    ...(row.conferencing && { conferencing: link(row.conferencing, names) }),
    options: { delete: row.event_id !== null, update: row.event_id !== null, change_participation_status: false },
  };
}

function ofSeries(row: StoredRow, day: string) {
  return {
    ...(row.rules && { recurrence: { rules: row.rules } }),
    series_identifier: row.master_id,
    ...(row.event_id !== null &&
      row.first_uid !== null && { series_master: { event_id: row.event_id, event_uid: row.first_uid } }),
    occurrence_date: day,
  };
}

function link(value: NonNullable<Conferencing>, names: Vocabulary) {
  return "pending" in value
    ? value
    : { provider_name: meetingServiceName(names, value.provider), join_url: value.join_url };
}
