export type DeliveryState = "pending" | "delivered" | "failed" | "cancelled";
export type DeliveryType = "verification" | "change" | "profile_disconnected" | "profile_initial_sync_completed";

/** One line of the list. Times are ISO, in UTC. */
export interface DeliveryRow {
  id: string;
  type: DeliveryType;
  applicationId: string;
  applicationName: string | null;
  accountId: string;
  channelId: string;
  /** Of the callback URL, with its port where that is not 443. */
  host: string;
  state: DeliveryState;
  /** Those that staff asked for included. */
  attempts: number;
  /** What the last attempt was answered with; of one that was delivered, what accepted it. Null: no answer. */
  lastStatus: number | null;
  /** Why there was no answer: `dns`, `connect`, `tls`, `timeout`, `blocked`, `reset`, `http`, `internal`. */
  lastError: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
  /** When it was delivered, failed or cancelled. */
  finishedAt: string | null;
  /** Staff have asked for an attempt of it. */
  manual: boolean;
  /** An attempt of it has been due for over 30 seconds. */
  late: boolean;
}

export interface Header {
  name: string;
  value: string;
}

export interface AttemptRow {
  number: number;
  /** Staff asked for it. */
  manual: boolean;
  startedAt: string;
  durationMs: number | null;
  /** The address that was connected to, or refused. */
  address: string | null;
  status: number | null;
  errorClass: string | null;
  responseHeaders: Record<string, string> | null;
  /** At most 20 KiB of it. A stranger's text. */
  responseBody: string | null;
}

export interface DeliveryDetail extends DeliveryRow {
  callbackUrl: string;
  /** The bytes that every attempt sends. */
  body: string;
  /** Of the last attempt; of the next one where there was none. What is made with a secret is `[secret]`. */
  headersSent: Header[];
  /** Those whose end is known, the first one first. */
  attemptRows: AttemptRow[];
  channel: { id: string; closedAt: string | null; closedBy: string | null };
  waits: Waits;
  /** An attempt that staff asked for has not ended yet. */
  replayAsked: boolean;
  /** An attempt is under way. */
  underWay: boolean;
}

/** Where a delivery stands in its schedule. */
export interface Waits {
  /** Milliseconds from the end of the first, second … ninth attempt to the next. */
  scheduleMs: number[];
  /** How many attempts of the schedule were made. */
  made: number;
  most: number;
  /** 48 hours after its creation. */
  givenUpAt: string;
}

export interface DeliveryPulse {
  newest: string | null;
  /** At most 10,000. */
  pending: number;
  late: number;
}

export interface DeliveryHour {
  at: string;
  delivered: number;
  failed: number;
  /** Whatever became of them: those with more than one attempt. */
  retried: number;
  pending: number;
}

export interface DeliveryChart {
  /** By the hour of creation in UTC, every hour of the time asked for, the oldest first. */
  hours: DeliveryHour[];
  /** Of what did not arrive: an error class, or `4xx` and the like; the most frequent first. */
  errors: { errorClass: string; count: number }[];
}

export interface ReplayRow {
  id: string;
  state: "running" | "done" | "cancelled";
  /** How many deliveries it found: those that matched when it was started, and more when others came to match before their turn. */
  total: number;
  /** How many of them it is done with: those retried and those left out. */
  done: number;
  /** How many were attempted, whatever that came to. */
  retried: number;
  /** How many were not, and why. */
  leftOut: LeftOut;
  /** The operator's name. */
  startedBy: string;
  createdAt: string;
  finishedAt: string | null;
  filters: Record<string, string | string[] | true>;
}

export interface LeftOut {
  /** The channel was closed before their turn, by whomever. */
  closed: number;
  /** An attempt was under way, or asked for already. */
  underWay: number;
  /** Staff took back what was asked for them. */
  takenBack: number;
  /** They matched no more when it came to them. */
  changed: number;
}
