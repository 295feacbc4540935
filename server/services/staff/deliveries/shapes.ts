import type { NotificationType } from "@/server/domain/channels/notification-types";
import type { deliveryStates } from "@/server/domain/staff-lists";

export type DeliveryState = (typeof deliveryStates)[number];

/** One line of the list. Times are ISO, in UTC. */
export interface DeliveryRow {
  id: string;
  type: NotificationType;
  applicationId: string;
  applicationName: string | null;
  accountId: string;
  channelId: string;
  /** Of the callback URL, with its port where that is not 443. */
  host: string;
  /** Host and path of the callback URL, without its query. */
  endpoint: string;
  state: DeliveryState;
  /** Those that staff requested included. */
  attempts: number;
  /** What the last attempt was answered with; of one that was delivered, what accepted it. Null: no answer. */
  lastStatus: number | null;
  /** Why there was no answer: `dns`, `connect`, `tls`, `timeout`, `blocked`, `reset`, `http`, `internal`. */
  lastError: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
  /** When it was delivered, failed or cancelled. */
  finishedAt: string | null;
  /** Staff have requested an attempt of it. */
  manual: boolean;
  /** Somebody asked for it to try the endpoint. */
  test: boolean;
  /** An attempt of it has been due for over 30 seconds. */
  late: boolean;
  /** It is pending, and its last attempt failed. */
  retrying: boolean;
}

export interface Header {
  name: string;
  value: string;
}

export interface AttemptRow {
  number: number;
  /** Staff requested it. */
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
  /** Whole, with its query. */
  callbackUrl: string;
  /** The bytes that every attempt sends. */
  body: string;
  /** Of the last attempt; of the next one where there was none. What is made with a secret is `[secret]`. */
  headersSent: Header[];
  /** Those whose end is known, the first one first. */
  attemptRows: AttemptRow[];
  channel: { id: string; closedAt: string | null; closedBy: string | null };
  waits: Waits;
  /** An attempt that staff requested has not ended yet. */
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
  /** Another one whenever an attempt of a delivery on the first page began or ended; empty: nothing matches. */
  page: string;
  /** The same of the one that is open; null: none is. */
  open: string | null;
  /** At most 10,000. */
  pending: number;
  late: number;
}

/** How a delivery stands while somebody waits for the end of an attempt. */
export interface DeliveryProgress {
  state: DeliveryState;
  /** An attempt is under way, or requested. */
  waiting: boolean;
  /** The last attempt whose end is known. */
  last: Pick<AttemptRow, "number" | "status" | "errorClass" | "durationMs"> | null;
}

export interface DeliveryBar {
  at: string;
  delivered: number;
  failed: number;
  cancelled: number;
  queued: number;
  retrying: number;
  /** Whatever became of them: those with more than one attempt. */
  retried: number;
}

export interface DeliveryChart {
  /** By time of creation, without a gap, the oldest first. */
  bars: DeliveryBar[];
  /** How much time a bar stands for. */
  minutes: number;
  /** Of what was not delivered: an error class, or `4xx` and the like; the most frequent first. */
  errors: { errorClass: string; count: number }[];
}

/** Why a list of deliveries is empty, as far as that is known. */
export type Absence =
  /** What a filter names does not exist. */
  | { reason: "unknown"; what: "delivery" | "channel" | "account" | "application" | "host" | "search" }
  | { reason: "no_channel"; accountId: string }
  | { reason: "channels_closed"; closedAt: string; closedBy: string | null }
  /** Of an account all of whose profiles are disconnected. */
  | { reason: "disconnected"; accountId: string; lastSyncAt: string | null }
  /** So many match the same owner without the other filters. */
  | { reason: "other_filters"; count: number; more: boolean }
  | { reason: "nothing" };

export interface ReplayRow {
  id: string;
  state: "running" | "done" | "cancelled";
  /** How many deliveries it found: those that matched when it was started, and more when others came to match before their turn. */
  total: number;
  /** How many of them it is done with: those retried and those skipped. */
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
  /** An attempt was under way, or requested already. */
  underWay: number;
  /** Staff took back what was requested them. */
  takenBack: number;
  /** They matched no more when it came to them. */
  changed: number;
}
