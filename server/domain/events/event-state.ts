import type { Conferencing } from "@/server/domain/events/conferencing";
import type { Guest } from "@/server/domain/events/guests";
import type { OccurrenceTexts } from "@/server/domain/recurrence/exceptions";
import type { IcalRecurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { Rule } from "@/server/domain/recurrence/rule";
import type { Instant } from "@/server/domain/time/instant";

/** The fields of an event, as its row holds them. Times in milliseconds, all-day ones as UTC midnights. */
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
  /** A series written by the application. */
  ruleSeries: RuleSeries | null;
  /** A series as its provider returns it. */
  icalRecurrence: StoredIcalRecurrence | null;
}

export interface Person {
  email: string;
  display_name: string | null;
}

/** Differences between one occurrence and its event: texts if the application wrote it, anything from a provider. */
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

/** `events.recurrence`: the rule as sent and as parsed, and the exceptions with their days as text. */
export interface RuleSeries {
  rules: object[];
  rule: Rule;
  skipped: string[];
  changed: { day: string; span: { starts: number; ends: number; allDay: boolean } | null; texts: OccurrenceTexts }[];
  /** Replies to single days, sorted by day. Omitted: none. They only come from the provider. */
  replies?: DayReplies[];
}

/** Replies to one occurrence of the application's series, by its original day. */
export interface DayReplies {
  day: string;
  /** Guests whose reply differs from the one to the series, and those who come on this day alone. */
  guests: Guest[];
  /** The calendar owner's reply. Omitted: the one to the series. */
  own?: string;
}

/** `events.ical_recurrence`: a series as its provider returns it, with its zone by name. */
export type StoredIcalRecurrence = Omit<IcalRecurrence<OccurrenceChanges>, "zone"> & { tzid: string | null };
