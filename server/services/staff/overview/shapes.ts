/** The failing channels of an application at one URL. */
export interface FailingEndpoint {
  /** Host and path. */
  endpoint: string;
  applicationId: string;
  applicationName: string;
  /** The one with the most failures in a row; the figures but `failingSince` are its own. */
  channelId: string;
  /** How many there are. */
  channels: number;
  consecutiveFailures: number;
  /** Of the last attempt that failed. */
  lastStatus: number | null;
  lastError: string | null;
  /** When the first of the attempts began that failed in a row, of whichever channel. */
  failingSince: string;
  /** Among its newest deliveries; null: none of them was delivered. */
  lastSuccessAt: string | null;
}

/** Mailboxes of an application that are not read as they should be. */
export interface TroubledMailboxes {
  applicationId: string;
  applicationName: string;
  /** `failing`: at least three syncs in a row failed. `late`: a sync has been due for five minutes. */
  state: "disconnected" | "failing" | "late";
  mailboxes: number;
  /** Whose they are: as many as the list of accounts has that is narrowed to the application and the state. */
  accounts: number;
  /** Those of this state were counted to 10,000: both are of some of them. */
  more: boolean;
  /** If they are all of one account. */
  accountId: string | null;
  /** Of the one that has been so for the longest; null: nobody noted when. */
  since: string | null;
  /** The three most frequent. The error is as a sync stored it; the provider has its name on the wire. */
  reasons: { provider: string; error: string | null; count: number }[];
}

/** Of all applications, or of a developer's. Times are ISO, in UTC. */
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
    /** Those with the most channels, at most ten. */
    items: FailingEndpoint[];
    /** How many there would be. */
    groups: number;
    /** How many channels fail, which the list of endpoints shows by the same rule; counted to 10,000. */
    count: number;
    more: boolean;
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
  /** Null for developers: it is everybody's. */
  background: Background | null;
}

export interface Background {
  executor: "embedded" | "inngest";
  /** Of the embedded executor; an Inngest server keeps its own. */
  runs: { open: number; failed24h: number; oldestDueAt: string | null };
  lastSweepAt: string | null;
  waitingSignals: number;
  /** Signals that could not be read or handled. */
  deadLetters: number;
}
