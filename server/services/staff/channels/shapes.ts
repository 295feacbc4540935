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
