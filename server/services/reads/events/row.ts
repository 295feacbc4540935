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
