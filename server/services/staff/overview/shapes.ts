/** Where nothing has been delivered since at least three attempts failed, on channels that are open. */
export interface FailingEndpoint {
  /** Host and path. */
  endpoint: string;
  applicationId: string;
  applicationName: string;
  /** The channels whose deliveries fail, up to 20 of them. */
  channelIds: string[];
  retrying: number;
  /** Given up in the last 48 hours. */
  failed: number;
  lastStatus: number | null;
  lastError: string | null;
  lastFailureAt: string;
  /** Among the newest deliveries of those channels; null: none of them was delivered. */
  lastSuccessAt: string | null;
}

/** Times are ISO, in UTC. */
export interface Overview {
  /** The last sixty minutes, the oldest first; the last one is not over. */
  requestsPerMinute: { at: string; count: number; errors: number }[];
  /** Of those sixty minutes: the part of requests that were answered with 4xx or 5xx, from 0 to 1. */
  errorRate: number;
  /** Applications that were answered 429 in those sixty minutes, and how often. */
  throttledApplications: { id: string; name: string; count: number }[];
  deliveries: {
    /** Waiting for their first attempt, or for one that staff requested. Up to 100,000. */
    queued: number;
    /** Pending after a failed attempt. Up to 100,000. */
    retrying: number;
    /** Of the newest that is retrying: an error class, or a status. */
    lastError: string | null;
    /** Due for more than half a minute. */
    late: number;
    /** Of those that were made since `failedSince`: a delivery has ended by 48 hours. */
    failed: number;
    /** On the minute. */
    failedSince: string;
  };
  failingEndpoints: {
    /** Those that fail most, at most ten. */
    items: FailingEndpoint[];
    /** How many there are. */
    count: number;
  };
  profilesDisconnected: number;
  background: {
    executor: "embedded" | "inngest";
    /** Of the embedded executor; an Inngest server keeps its own. */
    runs: { open: number; failed24h: number; oldestDueAt: string | null };
    lastSweepAt: string | null;
    waitingSignals: number;
    /** Signals that could not be read or handled. */
    deadLetters: number;
  };
}
