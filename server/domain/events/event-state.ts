import type { Conferencing } from "@/server/domain/events/conferencing";
import type { Guest } from "@/server/domain/events/guests";
import type { OccurrenceTexts } from "@/server/domain/recurrence/exceptions";
import type { IcalRecurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { Rule } from "@/server/domain/recurrence/rule";
import type { Instant } from "@/server/domain/time/instant";

/** All that an event says: what its row holds. Times in milliseconds, all-day ones as UTC midnights. */
export interface EventState {
  summary: string;
  description: string;
  location: string | null;
  url: string | null;
  span: { starts: Instant; ends: Instant; allDay: boolean };
  tzid: string | null;
  transparency: "opaque" | "transparent";
  private: boolean;
  status: string;
  participationStatus: string;
  organizer: Person | null;
  attendees: Guest[];
  categories: string[];
  conferencing: Conferencing;
  /** A series that the application wrote. */
  ruleSeries: RuleSeries | null;
  /** A series as its provider hands it over. */
  icalRecurrence: StoredIcalRecurrence | null;
}

export interface Person {
  email: string;
  display_name: string | null;
}

/** What one occurrence says otherwise than its event: texts from the application, anything from a provider. */
export interface OccurrenceChanges {
  summary?: string;
  description?: string;
  location?: string | null;
  url?: string | null;
  participation_status?: string;
  attendees?: Guest[];
  transparency?: "opaque" | "transparent";
  private?: boolean;
  organizer?: Person | null;
  status?: string;
  conferencing?: Conferencing;
}

/** `events.recurrence`: the rule as it was sent and as it is understood, and the exceptions with their days as text. */
export interface RuleSeries {
  rules: object[];
  rule: Rule;
  skipped: string[];
  changed: { day: string; span: { starts: number; ends: number; allDay: boolean } | null; texts: OccurrenceTexts }[];
  /** Replies to single days, in their order. Omitted: there are none. Only the provider's side makes them. */
  replies?: DayReplies[];
}

/** Replies to one occurrence of the application's series, by its original day. */
export interface DayReplies {
  day: string;
  /** Guests whose reply is another than to the series, and those who come on this day alone. */
  guests: Guest[];
  /** The calendar owner's. Omitted: as to the series. */
  own?: string;
}

/** `events.ical_recurrence`: a series as its provider hands it over, its zone by name. */
export type StoredIcalRecurrence = Omit<IcalRecurrence<OccurrenceChanges>, "zone"> & { tzid: string | null };
