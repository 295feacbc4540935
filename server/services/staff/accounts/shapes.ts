import type { WriteState } from "@/server/domain/provider-writes";

/** Times are ISO, in UTC. */
export interface AccountRow {
  id: string;
  kind: "account" | "application_calendar";
  /** The application's name for an application calendar. */
  applicationCalendarId: string | null;
  name: string;
  email: string;
  applicationId: string;
  applicationName: string;
  createdAt: string;
  revokedAt: string | null;
  profileCount: number;
  disconnectedCount: number;
  calendarCount: number;
  /** Events that a provider refused or that were given up. */
  refusedCount: number;
}

export interface AccountDetail extends AccountRow {
  defaultTzid: string;
  profiles: AccountProfile[];
  calendars: AccountCalendar[];
  /** Open ones first, the newest first; at most 100. */
  channels: AccountChannel[];
  /** Refused ones first, then those that failed and are tried again; at most 100. */
  failedWrites: FailedWrite[];
  /** Events that are sent to their provider once they are due, or once their user reconnects. Rejected ones are not counted. */
  waitingWrites: number;
}

export interface AccountProfile {
  id: string;
  /** The product's name on the wire: `google`, `apple`. */
  provider: string;
  service: string;
  name: string;
  connected: boolean;
  /** Null: it is connected, or the time is unknown. */
  disconnectedAt: string | null;
  /** The same of this profile: while it is disconnected, those with `waitsForReconnect`. */
  waitingWrites: number;
  /** The path and query with which the user reconnects it; null when it is connected or the application has no redirect URI. */
  reconnectPath: string | null;
  initialSyncRequired: boolean;
  lastSyncAt: string | null;
  /** Null: it is never synced. */
  syncDueAt: string | null;
  syncFailures: number;
  syncError: string | null;
  createdAt: string;
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
}

export interface AccountChannel {
  id: string;
  callbackUrl: string;
  createdAt: string;
  closedAt: string | null;
  closedBy: string | null;
}

/** An event that its provider does not have, and why. */
export interface FailedWrite {
  id: string;
  calendarId: string;
  profileId: string;
  /** Null: an event that others made and the application changed. */
  eventId: string | null;
  /** When the event is, in its zone; of a series its first occurrence. */
  when: string;
  /** How it repeats. Null: it does not. */
  repeats: string | null;
  attempts: number;
  lastError: string | null;
  state: WriteState;
  /** It is sent once the user reconnects: also one that was given up while nothing of its profile could be read. */
  waitsForReconnect: boolean;
  /** When it was refused or given up. Null: it is tried again at `dueAt`. */
  refusedAt: string | null;
  dueAt: string | null;
  createdAt: string;
}
