import type { DeliveryFacts, OwnWrite } from "@/server/domain/timeline/facts";
import type { Finding } from "@/server/domain/timeline/findings";
import type { Step } from "@/server/domain/timeline/steps";
import type { AccountRow } from "@/server/services/staff/accounts/shapes";

/** What happened to an account around a time, and why its application was notified or not. Times are milliseconds since 1970. */
export interface Timeline {
  account: AccountRow;
  from: number;
  to: number;
  /** Why, in the order in which it matters: at least one. */
  findings: Finding[];
  steps: Step<LoggedWrite>[];
  /** There was more than is shown. */
  isCut: boolean;
  profiles: TimelineProfile[];
  calendars: CalendarReading[];
  channels: TimelineChannel[];
}

export interface LoggedWrite extends OwnWrite {
  /** Of the request in the log. */
  id: string;
  method: string;
  calendarId: string | null;
  /** Of a change in the sandbox: `event_created`. Null: it is none, or has none. */
  type: string | null;
  /** Why it was refused, as its response says. Null: it was not. */
  reason: string | null;
}

export interface TimelineProfile {
  id: string;
  /** As the API names it. */
  provider: string;
  name: string;
  connected: boolean;
  disconnectedAt: number | null;
  lastSyncAt: number | null;
  /** Null: it is never synced. */
  nextSyncAt: number | null;
  /** When its provider last notified us, of the list or of a calendar. Null: never, or it has not since that is stored. */
  noticedAt: number | null;
  /** Until when its provider notifies us of its list of calendars. Null: it does not. */
  watchEndsAt: number | null;
  /** Why it refused to. Null: it did not. */
  watchRefusedFor: string | null;
}

/** How a calendar is read from its provider. */
export interface CalendarReading {
  id: string;
  profileId: string;
  name: string;
  deleted: boolean;
  /** When it was last asked for its changes. Null: never, or not since that is stored. */
  readAt: number | null;
  noticedAt: number | null;
  watchEndsAt: number | null;
  watchRefusedFor: string | null;
  /** Something in it has changed, or may have: it is read at the next sync. */
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

export type TimelineDelivery = DeliveryFacts;
