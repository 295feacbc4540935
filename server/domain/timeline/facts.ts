import type { ChannelFilters } from "@/server/domain/channels/notification";

/** What is stored of an account around a time. Times are milliseconds since 1970. */
export interface TimelineFacts {
  now: number;
  /** The time that is asked about. */
  from: number;
  to: number;
  /** What others changed is stored from then on; earlier, nothing is known of a change that caused no delivery. Null: unknown. */
  recordedSince: number | null;
  revokedAt: number | null;
  /** Since when the application is disabled: nothing is read, and nothing is sent. Null: it is not. */
  disabledAt: number | null;
  profiles: readonly ProfileFacts[];
  channels: readonly ChannelFacts[];
  changes: readonly SeenChange[];
  /** Those of the time asked about, and those that a change of it may have joined or waited for; of each channel the oldest first. */
  deliveries: readonly DeliveryFacts[];
  writes: readonly OwnWrite[];
  /** Changes that are not turned into deliveries yet, and those that could not be. */
  waiting: number;
  setAside: number;
}

export interface ProfileFacts {
  id: string;
  /** As the API names it. */
  provider: string;
  isHosted: boolean;
  connected: boolean;
  /** Null: it is connected, or the time is unknown. */
  disconnectedAt: number | null;
  isFirstSync: boolean;
  syncFailures: number;
  syncError: string | null;
  /** Until when its provider wants no requests for it, or none of ours. Null, or past: it accepts them. */
  throttledUntil: number | null;
}

export interface ChannelFacts extends ChannelFilters {
  id: string;
  openedAt: number;
  /** Since when staff hold its deliveries. Null: they do not. */
  pausedAt: number | null;
  closedAt: number | null;
  closedBy: string | null;
}

/** Others changed a calendar, once or several times within a minute. */
export interface SeenChange {
  calendarId: string;
  /** The application had written the events. */
  managed: boolean;
  firstAt: number;
  lastAt: number;
}

export interface DeliveryFacts {
  id: string;
  channelId: string;
  type: string;
  test: boolean;
  state: "pending" | "delivered" | "failed" | "cancelled";
  /** Null: it announces no change. */
  changesSince: number | null;
  createdAt: number;
  finishedAt: number | null;
  nextAttemptAt: number | null;
  /** Later changes wait for its end. */
  isJoined: boolean;
  attempts: readonly AttemptFacts[];
}

export interface AttemptFacts {
  number: number;
  manual: boolean;
  startedAt: number;
  durationMs: number | null;
  /** Null: no response. */
  status: number | null;
  error: string | null;
}

/** A write of the application itself, which it is not notified of ("Events"). */
export interface OwnWrite {
  at: number;
  status: number;
  /** It played another person in the sandbox: it is notified of that. */
  isSandbox: boolean;
}
