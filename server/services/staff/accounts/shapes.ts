import type { Access } from "@/server/domain/access";
import type { FeedDetail } from "@/server/domain/feeds";
import type { WriteState } from "@/server/domain/provider-writes";
import type { BookingShape } from "@/server/services/bookings/response-shape";
import type { OfTrigger } from "@/server/services/staff/channels/shapes";
import type { AccountRow } from "@/server/services/staff/lists/accounts";
import type { EndpointState } from "@/server/services/staff/lists/endpoints";

/** What the head of each page of an account shows. */
export interface AccountHead extends AccountRow {
  defaultTzid: string;
  /** Events that are sent to their provider once they are due, or once their user reconnects. Excludes refused ones. */
  waitingWrites: number;
  openChannels: number;
  noteCount: number;
  profiles: AccountProfile[];
}

export interface AccountDetail extends AccountHead {
  calendars: AccountCalendar[];
  /** Open ones first, the newest first; at most 100. */
  channels: AccountChannel[];
  /** Refused ones first, then those that failed and will be retried; at most 100. */
  failedWrites: FailedWrite[];
  /** In its calendars, the newest first; at most 100. */
  bookings: AccountBooking[];
}

export interface AccountProfile {
  id: string;
  /** The product's name on the wire: `google`, `apple`. */
  provider: string;
  /** The name of the provider, or of its CalDAV server, as people call it. */
  providerLabel: string;
  service: string;
  name: string;
  /** Of a feed: the host of its address. Null: it is no feed. */
  host: string | null;
  access: Access;
  connected: boolean;
  /** Null: it is connected, or the time is unknown. */
  disconnectedAt: string | null;
  /** The same for this profile: while it is disconnected, those with `waitsForReconnect`. */
  waitingWrites: number;
  /** The path and query with which the user reconnects it; null when it is connected or the application has no redirect URI. */
  reconnectPath: string | null;
  /** The newest ten of those that have not expired. */
  reconnectLinks: ReconnectLink[];
  initialSyncRequired: boolean;
  lastSyncAt: string | null;
  /** Null: it is never synced. */
  syncDueAt: string | null;
  syncFailures: number;
  syncError: string | null;
  createdAt: string;
}

/** A link that the application made for the user to reconnect a profile. Its secret is not stored. */
export interface ReconnectLink {
  createdAt: string;
  expiresAt: string;
  /** Null: it is open. */
  usedAt: string | null;
}

export interface AccountCalendar {
  id: string;
  profileId: string;
  name: string;
  readonly: boolean;
  deleted: boolean;
  primary: boolean;
  tzid: string | null;
  changedAt: string;
  skipped: SkippedEvents;
  /** The oldest first. */
  feeds: AccountFeed[];
}

/** A feed of a calendar. Its address is not stored. */
export interface AccountFeed {
  id: string;
  detail: FeedDetail;
  daysBack: number;
  daysAhead: number;
  createdAt: string;
  /** To the minute. Null: never. */
  lastReadAt: string | null;
}

/** Events of a calendar that could not be read. */
export interface SkippedEvents {
  count: number;
  /** The latest, at most 50. */
  events: SkippedEvent[];
}

export interface SkippedEvent {
  /** The provider's name for the event, shortened to its last part. */
  externalId: string;
  name: string;
  /** A sentence, never the event's text. */
  reason: string;
  readAt: number;
}

export interface AccountChannel extends OfTrigger {
  id: string;
  callbackUrl: string;
  createdAt: string;
  closedAt: string | null;
  closedBy: string | null;
  state: EndpointState;
  /** Since when attempts fail. Null: the last one was accepted. */
  failingSince: string | null;
  /** Since when staff hold its deliveries. Null: it is not paused. */
  pausedAt: string | null;
}

/** An event that its provider does not have, and why. */
export interface FailedWrite {
  id: string;
  calendarId: string;
  profileId: string;
  /** Null: an event that others created and the application changed. */
  eventId: string | null;
  /** When the event is, in its zone; for a series its first occurrence. */
  when: string;
  /** How it repeats. Null: it does not repeat. */
  repeats: string | null;
  attempts: number;
  lastError: string | null;
  state: WriteState;
  /** Sent once the user reconnects. Includes a write that was given up while nothing of its profile could be read. */
  waitsForReconnect: boolean;
  /** When it was refused or given up. Null: it is retried at `dueAt`. */
  refusedAt: string | null;
  dueAt: string | null;
  createdAt: string;
}

/** A booking in a calendar of the account, as it stands. */
export interface AccountBooking {
  id: string;
  state: BookingShape["state"];
  calendarId: string;
  calendarName: string;
  /** The application's name for the event. */
  eventId: string;
  createdAt: string;
  /** Null: it is no hold. */
  heldUntil: string | null;
  /** The calendars whose time it takes, perhaps of other accounts. */
  takes: { id: string; name: string; accountId: string }[];
}
