import { isAskedByStaff } from "@/server/db/cancelled";
import { bool, int4, nullable, oneOf, text, textOf, timestamp } from "@/server/db/statement";
import { endpointOf } from "@/server/domain/channels/endpoint";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import { accountName } from "@/server/services/staff/lists/account-name";
import type { DeliveryRow, DeliveryState } from "@/server/services/staff/lists/deliveries";
import type { PageCursor } from "@/server/services/staff/lists/paging";
import { placeTime } from "@/server/services/staff/lists/paging";

/** Longer than any delivery waits for its turn when nothing is wrong. */
const LATE_AFTER_S = 30;

export interface StoredRow {
  id: string;
  type: NotificationType;
  applicationId: string;
  applicationName: string | null;
  accountId: string;
  accountName: string | null;
  channelId: string;
  host: string;
  callbackUrl: string;
  state: DeliveryState;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  /** Precise to the microsecond. */
  placeAt: string;
  nextAttemptAt: Date | null;
  finishedAt: Date | null;
  /** Attempts beside the schedule, for staff or for changes that waited. */
  manualAttempts: number;
  /** Whether a requested attempt is still to come. */
  isAsked: boolean;
  test: boolean;
  late: boolean;
  retrying: boolean;
}

/** The types of `rowColumns` as pg returns them. */
export const storedRow = {
  id: text,
  type: textOf<NotificationType>(),
  applicationId: text,
  applicationName: nullable(text),
  accountId: text,
  accountName: nullable(text),
  channelId: text,
  host: text,
  callbackUrl: text,
  state: oneOf<DeliveryState>(),
  attempts: int4,
  lastStatus: nullable(int4),
  lastError: nullable(text),
  createdAt: timestamp,
  placeAt: text,
  nextAttemptAt: nullable(timestamp),
  finishedAt: nullable(timestamp),
  manualAttempts: int4,
  isAsked: bool,
  test: bool,
  late: bool,
  retrying: bool,
};

/**
 * Returns the columns of a line, from `deliveries d`, `channels c`, `applications p` and `accounts o`; `now` is SQL for the time that
 * decides what is late.
 */
export const rowColumns = (
  now: string,
) => `d.id, d.type, d.application_id AS "applicationId", p.name AS "applicationName",
d.account_id AS "accountId", ${accountName("o")} AS "accountName", d.channel_id AS "channelId", d.host, c.callback_url AS "callbackUrl", d.state, d.attempts, d.last_status AS "lastStatus",
d.last_error AS "lastError", d.created_at AS "createdAt", ${placeTime("d.created_at")} AS "placeAt", d.next_attempt_at AS "nextAttemptAt",
CASE WHEN d.state <> 'pending' THEN d.finished_at END AS "finishedAt", d.manual_attempts AS "manualAttempts", ${isAskedByStaff("d")} AS "isAsked", d.test,
coalesce(${isLate(now)}, false) AS late, d.state = 'pending' AND coalesce(${isRetrying}, false) AS retrying`;

export const isLate = (now: string) => `(d.state = 'pending' AND ${isOverdue(now)})`;

/**
 * SQL for whether the last attempt of a pending delivery failed. Null: no attempt has ended. The index
 * deliveries_retrying has the same condition.
 */
export const isRetrying = "(d.last_error IS NOT NULL OR d.last_status NOT BETWEEN 200 AND 299)";

/** Returns SQL for whether a pending delivery is overdue. */
export const isOverdue = (now: string) => `d.next_attempt_at < ${now} - make_interval(secs => ${LATE_AFTER_S})`;

/** Formats a row. `manual`: an attempt that staff requested was made. */
export function rowOf(row: StoredRow, { manual }: { manual: boolean }): DeliveryRow {
  const { placeAt: _, manualAttempts: __, isAsked, callbackUrl, createdAt, nextAttemptAt, finishedAt, ...rest } = row;
  return {
    ...rest,
    manual: manual || isAsked,
    endpoint: endpointOf(callbackUrl),
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

export function placeOf({ placeAt, id }: StoredRow): PageCursor {
  return { at: placeAt, id };
}
