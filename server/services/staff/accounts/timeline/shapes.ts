import type { OwnWrite } from "@/server/domain/timeline/facts";
import type { Finding } from "@/server/domain/timeline/findings";
import type { Step } from "@/server/domain/timeline/steps";
import type { AccountRow } from "@/server/services/staff/lists/accounts";

/** What happened to an account around a time, and why its application was notified or not. Times are milliseconds since 1970. */
export interface Timeline {
  account: AccountRow;
  from: number;
  to: number;
  /** The reasons, the most relevant first: at least one. */
  findings: Finding[];
  steps: Step<LoggedWrite>[];
  /** Whether there was more than is shown. */
  isCut: boolean;
  profiles: TimelineProfile[];
  calendars: CalendarReading[];
  channels: TimelineChannel[];
}

export interface LoggedWrite extends OwnWrite {
  /** The request's id in the log. */
  id: string;
  method: string;
  calendarId: string | null;
  /** The type of a change in the sandbox: `event_created`. Null: it is none, or has none. */
  type: string | null;
  /** Why it was refused, as its response says. Null: it was accepted. */
  reason: string | null;
}

export interface TimelineProfile {
  id: string;
  /** The provider's name in the API. */
  provider: string;
  /** The name of the provider, or of its CalDAV server, as people call it. */
  providerLabel: string;
  name: string;
  connected: boolean;
  disconnectedAt: number | null;
  lastSyncAt: number | null;
  /** Null: it is never synced. */
  nextSyncAt: number | null;
  /** How often it is checked: at least while things change, at most while nothing does. Null: it is not, or as often as its feed says. */
  pollSeconds: { least: number; most: number } | null;
  /** When its provider last notified us, of the list or of a calendar. Null: never, or not since this is recorded. */
  noticedAt: number | null;
  /** Until when its provider notifies us of its list of calendars. Null: it does not. */
  watchEndsAt: number | null;
  /** Why the provider refused to notify us. Null: it did not refuse. */
  watchRefusedFor: string | null;
}

/** How a calendar is read from its provider. */
export interface CalendarReading {
  id: string;
  profileId: string;
  name: string;
  deleted: boolean;
  /** When its changes were last read. Null: never, or not since this is recorded. */
  readAt: number | null;
  noticedAt: number | null;
  watchEndsAt: number | null;
  watchRefusedFor: string | null;
  /** Something in it has changed, or may have: the next sync reads it. */
  isStale: boolean;
  syncFailures: number;
  syncError: string | null;
}

export interface TimelineChannel {
  id: string;
  /** Host and path, without the query. */
  endpoint: string;
  /** Null: all of them. */
  calendarIds: string[] | null;
  onlyManaged: boolean;
  openedAt: number;
  pausedAt: number | null;
  closedAt: number | null;
  closedBy: string | null;
}
