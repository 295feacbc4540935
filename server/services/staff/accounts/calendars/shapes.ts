import type { AccountProfile, FailedWrite, SkippedEvents } from "@/server/services/staff/accounts/shapes";
import type { CalendarReading } from "@/server/services/staff/accounts/timeline/shapes";
import type { AccountRow } from "@/server/services/staff/lists/accounts";

/** The calendars of an account, how they are read and written. */
export interface AccountCalendars {
  account: AccountRow;
  profiles: AccountProfile[];
  calendars: CountedCalendar[];
  /** Refused ones first, then failed ones, then waiting ones; at most 100. */
  writes: FailedWrite[];
  /** Excludes refused ones. */
  waitingWrites: number;
}

export interface CountedCalendar extends CalendarReading {
  readonly: boolean;
  primary: boolean;
  tzid: string | null;
  /** In the stored time range, each occurrence of a series counted. */
  events: number;
  skipped: SkippedEvents;
}

/** When a calendar's events of a day are, without their texts. */
export interface CalendarDay {
  calendarId: string;
  /** 2026-11-25 */
  day: string;
  /** The time zone of the day and its times. */
  tzid: string;
  items: DayEvent[];
  /** Whether there are more events than are shown. */
  more: boolean;
}

export interface DayEvent {
  uid: string;
  /** The application's id for it. Null: others created it. */
  eventId: string | null;
  /** "09:00 – 10:00", with a date where it is another day's; "all day". */
  when: string;
  freeBusy: "busy" | "tentative" | "free";
  isDeclined: boolean;
  repeats: boolean;
}

/** By the event's uid. */
export type EventTexts = Record<string, { summary: string; location: string | null }>;
