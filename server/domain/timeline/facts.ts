import type { ChannelFilters } from "@/server/domain/channels/notification";

/** Stored facts about an account around a time. Times are milliseconds since 1970. */
export interface TimelineFacts {
  now: number;
  /** The time in question. */
  from: number;
  to: number;
  revokedAt: number | null;
  /** Since when the application is disabled: nothing is read, and nothing is sent. Null: it is enabled. */
  disabledAt: number | null;
  profiles: readonly ProfileFacts[];
  channels: readonly ChannelFacts[];
  changes: readonly SeenChange[];
  /**
   * The deliveries of that time, and those that a change of it may have joined or waited for, each channel's oldest
   * first.
   */
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
  /** Until when its provider accepts no requests for it, or none of ours. Null, or past: it accepts them. */
  throttledUntil: number | null;
}

export interface ChannelFacts extends ChannelFilters {
  id: string;
  openedAt: number;
  /** Since when staff have paused its deliveries. Null: they have not. */
  pausedAt: number | null;
  closedAt: number | null;
  closedBy: string | null;
}

/** Others changed a calendar, once or several times within a minute. */
export interface SeenChange {
  calendarId: string;
  /** Whether the application had written the events. */
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
  /** Whether later changes wait for its end. */
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
  /** Whether it played another person in the sandbox: the application is notified of that. */
  isSandbox: boolean;
}
