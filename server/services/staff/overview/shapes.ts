/** The failing channels of an application at one URL. */
export interface FailingEndpoint {
  /** Host and path. */
  endpoint: string;
  applicationId: string;
  applicationName: string;
  /** The channel with the most failures in a row; all figures except `failingSince` are its own. */
  channelId: string;
  /** The number of channels. */
  channels: number;
  consecutiveFailures: number;
  /** The status of the last failed attempt. */
  lastStatus: number | null;
  lastError: string | null;
  /** When the first of the consecutive failed attempts began, of any of the channels. */
  failingSince: string;
  /** Among its newest deliveries; null: none of them was delivered. */
  lastSuccessAt: string | null;
}

/** Mailboxes of an application with sync problems. */
export interface TroubledMailboxes {
  applicationId: string;
  applicationName: string;
  /** `failing`: at least three syncs in a row failed. `late`: a sync has been due for five minutes. */
  state: "disconnected" | "failing" | "late";
  mailboxes: number;
  /** The number of owners: as many as the list of accounts shows for the application and the state. */
  accounts: number;
  /** Counting this state stopped at 10,000: both counts are incomplete. */
  more: boolean;
  /** The account, if there is only one. */
  accountId: string | null;
  /** Of the one in this state for the longest time; null: unknown. */
  since: string | null;
  /** The three most frequent reasons. The error is as a sync stored it; the provider has its name on the wire. */
  reasons: { provider: string; providerLabel: string; error: string | null; count: number }[];
}

/** The state of all applications, or of a developer's. Times are ISO, in UTC. */
export interface Overview {
  /** The last sixty minutes, the oldest first; the last minute is incomplete. */
  requestsPerMinute: { at: string; count: number; errors: number }[];
  /** The share of those requests that got a 4xx or 5xx, from 0 to 1. */
  errorRate: number;
  /** Applications that got a 429 in those sixty minutes, and how often. */
  throttledApplications: { id: string; name: string; count: number }[];
  deliveries: {
    /** Deliveries before their first attempt, or before one that staff requested. Counted up to 100,000. */
    queued: number;
    /** Pending deliveries after a failed attempt. Counted up to 100,000. */
    retrying: number;
    /** The error of the newest retrying delivery: an error class, or a status. */
    lastError: string | null;
    /** Due for more than half a minute. */
    late: number;
    /** Failed deliveries among those created since `failedSince`: a delivery has ended after 48 hours. */
    failed: number;
    /** Rounded to the minute. */
    failedSince: string;
  };
  failingEndpoints: {
    /** The groups with the most channels, at most ten. */
    items: FailingEndpoint[];
    /** The total number of groups. */
    groups: number;
    /** The number of failing channels, by the same rule as the list of endpoints; counted up to 10,000. */
    count: number;
    more: boolean;
  };
  mailboxes: {
    /** Disconnected ones first, at most ten groups. */
    items: TroubledMailboxes[];
    /** The total number of groups. */
    groups: number;
    /** Each counted up to 10,000. */
    disconnected: number;
    failing: number;
    late: number;
  };
  /** Null for developers: background work is shared by all applications. */
  background: Background | null;
}

export interface Background {
  /** What runs the functions: the engine of each process, or an Inngest server. */
  engine: "embedded" | "inngest";
  /** How many chores there are, and the ids of those that were not done for three of their intervals. */
  chores: { count: number; late: string[] };
  /** When a process last checked for alerts, as one does every minute. */
  lastLookAt: string;
  waitingSignals: number;
  /** Signals that could not be read or processed. */
  deadLetters: number;
}
