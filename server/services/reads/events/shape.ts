import type { Conferencing } from "@/server/domain/events/conferencing";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { meetingServiceName, type Vocabulary } from "@/server/domain/wire-names";
import type { EventRow } from "@/server/services/reads/events/row";

/**
 * The documented event ("Event (GET /v1/events)") of a row. `write` formats start and end.
 * Optional fields are omitted, never null, except organizer.
 */
export function shapeEvent(stored: EventRow, write: (seconds: number, allDay: boolean) => string, names: Vocabulary) {
  const row = stored.changes ? { ...stored, ...stored.changes } : stored;
  return {
    calendar_id: row.calendar_id,
    event_uid: row.uid,
    ...(row.event_id !== null && { event_id: row.event_id }),
    summary: row.summary,
    description: row.description,
    start: write(row.starts, row.all_day),
    end: write(row.ends, row.all_day),
    deleted: row.deleted,
    created: instant(row.created),
    updated: instant(row.updated),
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
    ...(row.day !== null && occurrence(row, row.day)),
    ...(row.conferencing && { conferencing: conferencing(row.conferencing, names) }),
    options: { delete: row.event_id !== null, update: row.event_id !== null, change_participation_status: false },
  };
}

function occurrence(row: EventRow, day: string) {
  return {
    ...(row.rules && { recurrence: { rules: row.rules } }),
    series_identifier: row.master_id,
    ...(row.event_id !== null &&
      row.first_uid !== null && { series_master: { event_id: row.event_id, event_uid: row.first_uid } }),
    occurrence_date: day,
  };
}

function conferencing(value: NonNullable<Conferencing>, names: Vocabulary) {
  return "pending" in value
    ? value
    : { provider_name: meetingServiceName(names, value.provider), join_url: value.join_url };
}

function instant(epochSeconds: number): string {
  return formatInstant((epochSeconds * 1000) as Instant);
}
