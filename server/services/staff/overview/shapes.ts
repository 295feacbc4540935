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
  /** Since when nothing arrives, as far as its newest deliveries tell. */
  failingSince: string;
  lastFailureAt: string;
  /** Among the newest deliveries of those channels; null: none of them was delivered. */
  lastSuccessAt: string | null;
}

/** Mailboxes of an application that are not read as they should be. */
export interface TroubledMailboxes {
  applicationId: string;
  applicationName: string;
  /** `failing`: at least three syncs in a row failed. `late`: a sync has been due for five minutes. */
  state: "disconnected" | "failing" | "late";
  mailboxes: number;
  /** If they are all of one account. */
  accountId: string | null;
  /** Of the one that has been so for the longest; null: nobody noted when. */
  since: string | null;
  /** The three most frequent. The error is as a sync stored it; the provider has its name on the wire. */
  reasons: { provider: string; error: string | null; count: number }[];
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
  mailboxes: {
    /** Disconnected ones first, at most ten groups. */
    items: TroubledMailboxes[];
    /** How many groups there are. */
    groups: number;
    /** Each counted to 10,000. */
    disconnected: number;
    failing: number;
    late: number;
  };
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
