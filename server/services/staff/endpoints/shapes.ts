import type { EndpointRow } from "@/server/services/staff/lists/endpoints";

export interface EndpointDetail extends EndpointRow {
  /** Complete, with its query. */
  callbackUrl: string;
  /** In the API's format. */
  filters: { calendar_ids?: readonly string[]; only_managed?: boolean };
  /** Null: there was none in the last 7 days. */
  lastAttemptAt: string | null;
  /** The oldest of its pending deliveries. */
  oldestPendingAt: string | null;
}

export interface EndpointChart {
  /** By the beginning of the attempts, without a gap, the oldest first. */
  bars: { at: string; succeeded: number; failed: number }[];
}
