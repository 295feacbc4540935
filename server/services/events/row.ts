import type { PageShape } from "@/server/db/pages/statement";
import type { EventUid } from "@/server/domain/ids";
import type { WireToken } from "@/server/domain/wire-names";

export interface Attendee {
  email: string;
  display_name: string | null;
  status: "needs_action" | "accepted" | "declined" | "tentative" | "unknown";
}

export interface Person {
  email: string;
  display_name: string | null;
}

/** `{ pending: true }` until the calendar has made its link; `provider` is a wire token. */
export type Conferencing = { pending: true } | { provider: WireToken; join_url: string };

/** What an occurrence may say otherwise than its series. Times are columns of their own. */
export interface OccurrenceChanges {
  summary?: string;
  description?: string;
  location?: string | null;
}

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
  attendees: Attendee[];
  transparency: "opaque" | "transparent";
  private: boolean;
  organizer: Person | null;
  status: string;
  categories: string[];
  conferencing: Conferencing | null;
  recurrence: { rules: unknown[] } | null;
  master_id: string;
  first: boolean;
  day: string | null;
  changes: OccurrenceChanges | null;
}

export const eventShape: PageShape = {
  scanned:
    "o.uid, o.calendar_id, o.event_id, o.master_id, o.all_day, o.starts, o.ends, o.state, o.first, o.day, o.changes, o.updated_at",
  selected: `k.uid, k.calendar_id, k.event_id, k.all_day, date_part('epoch', k.starts) AS starts, date_part('epoch', k.ends) AS ends,
k.state = 2 AS deleted, date_part('epoch', e.created_at) AS created, date_part('epoch', k.updated_at) AS updated,
e.summary, e.description, e.location, e.url, e.participation_status, e.attendees, e.transparency, e.private, e.organizer,
e.status, e.categories, e.conferencing, CASE WHEN k.first THEN e.recurrence END AS recurrence, k.master_id, k.first, k.day::text AS day, k.changes`,
  joined: "JOIN events e ON e.id = k.master_id",
};
