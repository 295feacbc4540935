import type { AccountProfile, AccountRow, FailedWrite } from "@/server/services/staff/accounts/shapes";
import type { CalendarReading } from "@/server/services/staff/accounts/timeline/shapes";

/** The calendars of an account, how they are read and written. */
export interface AccountCalendars {
  account: AccountRow;
  profiles: AccountProfile[];
  calendars: CountedCalendar[];
  /** Refused ones first, then those that failed, then those that wait; at most 100. */
  writes: FailedWrite[];
  /** Refused ones not counted. */
  waitingWrites: number;
}

export interface CountedCalendar extends CalendarReading {
  readonly: boolean;
  primary: boolean;
  tzid: string | null;
  /** In the time that is stored, each occurrence of a series for itself. */
  events: number;
  skipped: SkippedEvents;
}

/** Events of a calendar that could not be read. */
export interface SkippedEvents {
  count: number;
  /** The last ones, at most 50. */
  events: SkippedEvent[];
}

export interface SkippedEvent {
  /** The provider's name of it, and the last part of that alone. */
  externalId: string;
  name: string;
  /** A sentence. Never the event's text. */
  reason: string;
  readAt: number;
}

/** When a calendar's events of a day are. What they say is not among it. */
export interface CalendarDay {
  calendarId: string;
  /** 2026-11-25 */
  day: string;
  /** In which the day is, and its times. */
  tzid: string;
  items: DayEvent[];
  /** There are more than are shown. */
  more: boolean;
}

export interface DayEvent {
  uid: string;
  /** The application's name for it. Null: it did not create it. */
  eventId: string | null;
  /** "09:00 – 10:00", with a date where it is another day's; "all day". */
  when: string;
  freeBusy: "busy" | "tentative" | "free";
  isDeclined: boolean;
  repeats: boolean;
}

/** By the event's uid. */
export type EventTexts = Record<string, { summary: string; location: string | null }>;
