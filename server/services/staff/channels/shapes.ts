export interface ChannelRow {
  id: string;
  callbackUrl: string;
  accountId: string;
  applicationId: string;
  applicationName: string | null;
  /** As the API shows them. */
  filters: { calendar_ids?: readonly string[]; only_managed?: boolean };
  createdAt: string;
  closedAt: string | null;
  /** `delete`, `staff`, `revoke` or `gone`: a receiver that answered 410. */
  closedBy: string | null;
  /** Since when staff hold its deliveries. */
  pausedAt: string | null;
}

export interface ChannelHealth extends ChannelRow {
  /** From 0 to 1: the attempts that began in the last 24 hours and were answered with 2xx; null: there were none. */
  successRate24h: number | null;
  /** Of the same attempts. */
  p50Ms: number | null;
  p95Ms: number | null;
  oldestPendingAt: string | null;
  /** Attempts since the last one that was answered with 2xx. */
  consecutiveFailures: number;
}
