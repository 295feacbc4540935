import type { EndpointState } from "@/server/domain/staff-lists";

/** A channel as staff look at it: where its webhooks go and what comes of them. Times are ISO, in UTC. */
export interface EndpointRow {
  id: string;
  /** `failing`: its last three attempts failed, and its application is enabled. `paused`: staff hold its deliveries, whatever came of the last ones. */
  state: EndpointState;
  /** Host and path of the callback URL, without its query. */
  endpoint: string;
  applicationId: string;
  applicationName: string;
  accountId: string;
  /** The account's email; of an application calendar the application's name for it. */
  accountName: string;
  createdAt: string;
  closedAt: string | null;
  /** `delete`, `staff`, `revoke` or `gone`: a receiver that answered 410. */
  closedBy: string | null;
  pausedAt: string | null;
  /** When the first of the attempts began that failed in a row; null: it is not failing. */
  failingSince: string | null;
  /** The attempts that began in the last 24 hours. */
  attempts24h: number;
  /** From 0 to 1: how many of them were answered with 2xx; null: there were none. */
  successRate24h: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  /** Attempts since the last one that was answered with 2xx, of whichever deliveries. */
  consecutiveFailures: number;
  /** The last attempt that failed; null: none did. */
  lastFailure: { at: string; status: number | null; error: string | null } | null;
}

export interface EndpointDetail extends EndpointRow {
  /** Whole, with its query. */
  callbackUrl: string;
  /** As the API shows them. */
  filters: { calendar_ids?: readonly string[]; only_managed?: boolean };
  /** Null: there was none in the last 7 days. */
  lastAttemptAt: string | null;
  /** Of its deliveries that are pending. */
  oldestPendingAt: string | null;
}

export interface EndpointChart {
  /** By the beginning of the attempts, without a gap, the oldest first. */
  bars: { at: string; succeeded: number; failed: number }[];
}
