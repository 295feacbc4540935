import type { DeliveryRow, DeliveryState } from "@/server/services/staff/lists/deliveries";

export interface Header {
  name: string;
  value: string;
}

export interface AttemptRow {
  number: number;
  /** Whether staff requested it. */
  manual: boolean;
  startedAt: string;
  durationMs: number | null;
  /** The address that was connected to, or refused. */
  address: string | null;
  status: number | null;
  errorClass: string | null;
  responseHeaders: Record<string, string> | null;
  /** At most 20 KiB, written by a stranger. */
  responseBody: string | null;
}

/** A change by others in a calendar, found by a sync. */
export interface AnnouncedChange {
  calendarId: string;
  /** Null: the calendar is gone. */
  calendarName: string | null;
  at: string;
}

export interface DeliveryDetail extends DeliveryRow {
  /** Complete, with its query. */
  callbackUrl: string;
  /** The bytes that every attempt sends. */
  body: string;
  /** The headers of the last attempt, or of the next one when there was none. Values made with a secret are `[secret]`. */
  headersSent: Header[];
  /** Finished attempts, the first one first. */
  attemptRows: AttemptRow[];
  /** The changes that it announces, the first in each calendar, as far as they are known. */
  changes: AnnouncedChange[];
  channel: { id: string; closedAt: string | null; closedBy: string | null };
  waits: DeliverySchedule;
  /** Whether an attempt that staff requested has not ended yet. */
  replayAsked: boolean;
  /** Whether an attempt is in progress. */
  underWay: boolean;
}

/** A delivery's position in its schedule. */
export interface DeliverySchedule {
  /** Milliseconds from the end of the first, second … ninth attempt to the next. */
  scheduleMs: number[];
  /** How many attempts of the schedule were made. */
  made: number;
  most: number;
  /** 48 hours after its creation. */
  givenUpAt: string;
  /** The last attempt if all others fail, and about when; null: none is scheduled. */
  last: { number: number; at: string } | null;
}

export interface DeliveryPulse {
  newest: string | null;
  /** Changes whenever an attempt of a delivery on the first page begins or ends; empty: nothing matches. */
  page: string;
  /** The same for the open delivery; null: none is open. */
  open: string | null;
  /** At most 10,000. */
  pending: number;
  late: number;
}

/** A delivery's state while somebody waits for the end of an attempt. */
export interface DeliveryProgress {
  state: DeliveryState;
  /** Whether an attempt is in progress, or requested, as the first one of a test is. */
  waiting: boolean;
  /** The last finished attempt. */
  last: Pick<AttemptRow, "number" | "status" | "errorClass" | "durationMs"> | null;
}

export interface DeliveryBar {
  at: string;
  delivered: number;
  failed: number;
  cancelled: number;
  queued: number;
  retrying: number;
  /** Deliveries with more than one attempt, whatever the outcome. */
  retried: number;
}

export interface DeliveryChart {
  /** By time of creation, without a gap, the oldest first. */
  bars: DeliveryBar[];
  /** The minutes that a bar stands for. */
  minutes: number;
  /** Errors of undelivered ones: an error class, or `4xx` and the like; the most frequent first. */
  errors: { errorClass: string; count: number }[];
}

/** Why an account gets no webhooks. */
export type AccountTrouble =
  | { reason: "no_channel"; accountId: string }
  | { reason: "channels_closed"; closedAt: string; closedBy: string | null }
  /** All profiles of the account are disconnected. */
  | { reason: "disconnected"; accountId: string; lastSyncAt: string | null };

/** Why a list of deliveries is empty, as far as that is known. */
export type Absence =
  /** The value of a filter does not exist. */
  | { reason: "unknown"; what: "delivery" | "channel" | "account" | "application" | "host" | "search" }
  | AccountTrouble
  /** This many match the same owner without the other filters. */
  | { reason: "other_filters"; count: number; more: boolean }
  | { reason: "nothing" };

/** What a bulk retry would send, counted up to 10,000. */
export interface ReplayPreview {
  /** By state; pending ones wait for their next attempt. */
  states: Partial<Record<DeliveryState, number>>;
  /** How many can't be sent because their channel is closed. */
  closed: number;
  /** All that match; `more`: beyond 10,000, which is too many for one retry. */
  total: number;
  more: boolean;
}

export interface ReplayRow {
  id: string;
  state: "running" | "done" | "cancelled";
  /** How many deliveries it found: those that matched when it was started, and more when others came to match before their turn. */
  total: number;
  /** How many are finished: retried or skipped. */
  done: number;
  /** How many were attempted, whatever the result. */
  retried: number;
  /** How many were not attempted, and why. */
  leftOut: SkippedCounts;
  /** The operator's name. */
  startedBy: string;
  createdAt: string;
  finishedAt: string | null;
  filters: Record<string, string | string[] | true>;
}

export interface SkippedCounts {
  /** The channel was closed before their turn, by anyone. */
  closed: number;
  /** An attempt was in progress, or requested already. */
  underWay: number;
  /** Staff cancelled the request. */
  takenBack: number;
  /** They no longer matched when their turn came. */
  changed: number;
}
