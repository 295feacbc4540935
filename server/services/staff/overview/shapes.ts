/** Times are ISO, in UTC. */
export interface Overview {
  /** The last sixty minutes, the oldest first; the last one is not over. */
  requestsPerMinute: { at: string; count: number; errors: number }[];
  /** Of those sixty minutes: the part of requests that were answered with 4xx or 5xx, from 0 to 1. */
  errorRate: number;
  /** Applications that were answered 429 in those sixty minutes, and how often. */
  throttledApplications: { id: string; name: string; count: number }[];
  deliveries: {
    /** Up to 100,000. */
    pending: number;
    /** Due for more than half a minute. */
    late: number;
    /** Of those that were made since `failedSince`: a delivery has ended by 48 hours. */
    failed: number;
    /** On the minute. */
    failedSince: string;
  };
  profilesDisconnected: number;
  background: {
    executor: "embedded" | "inngest";
    /** Of the embedded executor; an Inngest server keeps its own. */
    runs: { open: number; failed24h: number; oldestDueAt: string | null };
    lastSweepAt: string | null;
    waitingSignals: number;
    /** Signals that could not be read or handled. */
    setAside: number;
  };
}
