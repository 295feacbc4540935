import type { PageShape } from "@/server/db/pages/statement";
import type { Conferencing } from "@/server/domain/events/conferencing";
import type { OccurrenceChanges, Person } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import type { EventUid } from "@/server/domain/ids";

/** One row of the events read. Times in epoch seconds; all-day times are UTC midnights. */
export interface EventRow {
  calendar_id: string;
  uid: EventUid;
  event_id: string | null;
  all_day: boolean;
  starts: number;
  ends: number;
  deleted: boolean;
  created: number;
  updated: number;
  summary: string;
  description: string;
  location: string | null;
  url: string | null;
  participation_status: string;
  attendees: Guest[];
  transparency: "opaque" | "transparent";
  private: boolean;
  organizer: Person | null;
  status: string;
  categories: string[];
  conferencing: Conferencing;
  /** On the first occurrence of a series that the application wrote: its rule as sent. */
  rules: object[] | null;
  first_uid: string | null;
  master_id: string;
  day: string | null;
  changes: OccurrenceChanges | null;
}

export const eventShape: PageShape = {
  scanned:
    "o.uid, o.calendar_id, o.event_id, o.master_id, o.all_day, o.starts, o.ends, o.state, o.first, o.day, o.changes, o.updated_at",
  selected: `k.uid, k.calendar_id, k.event_id, k.all_day, date_part('epoch', k.starts) AS starts, date_part('epoch', k.ends) AS ends,
k.state = 2 AS deleted, date_part('epoch', e.created_at) AS created, date_part('epoch', CASE WHEN k.state = 2 THEN k.updated_at ELSE greatest(k.updated_at, e.content_changed_at) END) AS updated,
e.summary, e.description, e.location, e.url, e.participation_status, e.attendees, e.transparency, e.private, e.organizer,
e.status, e.categories, e.conferencing, CASE WHEN k.first THEN e.recurrence->'rules' END AS rules, e.first_uid, k.master_id, k.day::text AS day, k.changes`,
  joined: "JOIN events e ON e.id = k.master_id",
  // The length of a text is known without reading it; JSON is mostly empty here.
  bytes: `octet_length(e.description) + octet_length(e.summary) + coalesce(octet_length(e.location), 0) + coalesce(octet_length(e.url), 0)
+ octet_length(e.attendees::text) + octet_length(e.categories::text) + coalesce(octet_length(k.changes::text), 0)`,
};
