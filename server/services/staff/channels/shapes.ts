import type { ChannelRow } from "@/server/services/staff/lists/channels";

export interface ChannelHealth extends ChannelRow {
  /** The share of the attempts begun in the last 24 hours that got a 2xx, from 0 to 1; null: there were none. */
  successRate24h: number | null;
  /** The median of the same attempts. */
  p50Ms: number | null;
  p95Ms: number | null;
  oldestPendingAt: string | null;
  /** Attempts since the last one that got a 2xx. */
  consecutiveFailures: number;
}

/** When a trigger fires, and for which events. */
export interface StaffTrigger {
  id: string;
  /** Of an event. */
  anchor: "start" | "end";
  /** After it; before it, they are negative. */
  minutes: number;
  /** How many calendars it watches; null: all of the account. */
  calendars: number | null;
  onlyManaged: boolean;
  minGuests: number;
}

/** A channel that a trigger sends through: applications don't see it as a channel. */
export interface OfTrigger {
  isOfTrigger: boolean;
  /** Null: it is no trigger's, or the trigger was deleted. */
  trigger: StaffTrigger | null;
}
