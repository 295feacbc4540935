import { FOR_CHANGES } from "@/server/db/cancelled";
import { prepared } from "@/server/db/client";
import { waited } from "@/server/db/database-time";
import {
  bool,
  command,
  float8,
  int4,
  int8,
  json,
  nullable,
  statement,
  text,
  textOf,
  texts,
} from "@/server/db/statement";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS } from "@/server/domain/channels/schedule";
import { notifyingSignals } from "@/server/store/channels/outbox";
import { isAttemptOf } from "@/server/store/deliveries/attempts-of";

const SECOND_MS = 1_000;
/**
 * While changes wait for a delivery, it is attempted at least this often: its receiver may recover long before the
 * schedule's next attempt.
 */
const LONGEST_WAIT_S = 60;

const living = `${notifyingSignals} AND due_at < 'infinity'`;

/** The most due signals that a claim reads, including those of accounts that other processes hold. */
const MOST_LOOKED_AT = 1_000;

/**
 * Claims accounts with due signals, those that have waited longest first, except those that another process holds. Each
 * is locked until the transaction ends, as in `tryLockOne`.
 */
// It locks the account and not its signals: two processes with some signals of the same two accounts would wait for
// each other.
export const claimAccounts = statement<{ accountId: string; waitedMs: number }>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
soonest AS (SELECT one.* FROM t CROSS JOIN LATERAL (SELECT account_id, due_at FROM outbox
  WHERE ${notifyingSignals} AND due_at <= t.now ORDER BY due_at LIMIT ${MOST_LOOKED_AT}) one),
due AS MATERIALIZED (SELECT account_id, min(due_at) AS since FROM soonest GROUP BY account_id ORDER BY since)
SELECT account_id AS "accountId", ${waited("(SELECT now FROM t)", "since")} AS "waitedMs" FROM due
WHERE pg_try_advisory_xact_lock($2, hashtext(account_id)) LIMIT $3`,
  { accountId: text, waitedMs: float8 },
);

/** Returns the milliseconds until the next is due. */
export const nextSignal = statement<{ ms: number | null }>(
  `SELECT date_part('epoch', min(due_at) - coalesce($1::timestamptz, clock_timestamp())) * 1000 AS ms FROM outbox WHERE ${living}`,
  { ms: nullable(float8) },
);

export interface SignalRow {
  id: string;
  accountId: string;
  kind: NotificationType;
  subject: string;
  /** `channel`: the only one to notify. `refused`: what a notification of a refused write says. */
  payload: { managed?: unknown; at?: unknown; channel?: unknown; trace?: unknown; refused?: { calendar_id: string } };
}

/** Reads all changes of an account once the first of them is due. */
export const signalsOfAccounts = statement<SignalRow>(
  `SELECT id, account_id AS "accountId", kind, subject, payload FROM (SELECT o.*, due_at <= t.now AS is_due,
    bool_or(kind = 'change' AND due_at <= t.now) OVER (PARTITION BY account_id) AS changes_due
  FROM outbox o, (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now) t WHERE account_id = ANY ($1) AND ${living}) s
WHERE is_due OR (kind = 'change' AND changes_due) ORDER BY id`,
  {
    id: int8,
    accountId: text,
    kind: textOf<NotificationType>(),
    subject: text,
    payload: json<SignalRow["payload"]>(),
  },
);

/**
 * Records what others changed where someone could have been notified (ADR 72). The account is locked, so no one else
 * has its rows.
 */
export const dropSignals = command(`WITH gone AS (DELETE FROM outbox WHERE id = ANY ($1::bigint[]) RETURNING *),
changes AS (SELECT account_id, subject AS calendar_id, coalesce(payload ->> 'managed' = 'true', false) AS managed,
    to_timestamp((payload ->> 'at')::float8 / 1000) AS at FROM gone
  WHERE kind = 'change' AND NOT payload ? 'channel' AND EXISTS (SELECT FROM channels c WHERE c.account_id = gone.account_id AND c.closed_at IS NULL))
INSERT INTO seen_changes (account_id, minute, calendar_id, managed, first_at, last_at)
SELECT account_id, date_trunc('minute', at, 'UTC'), calendar_id, managed, min(at), max(at) FROM changes GROUP BY 1, 2, 3, 4
ON CONFLICT (account_id, minute, calendar_id, managed) DO UPDATE
SET first_at = least(seen_changes.first_at, excluded.first_at), last_at = greatest(seen_changes.last_at, excluded.last_at)`);

export const setSignalsAside = command(
  "UPDATE outbox SET attempts = attempts + 1, due_at = 'infinity' WHERE id = ANY ($1::bigint[])",
);

export const postponeSignals = statement<{ tries: number }>(
  `UPDATE outbox SET attempts = attempts + 1, due_at = CASE WHEN attempts + 1 >= $3 THEN 'infinity'::timestamptz
  ELSE coalesce($2::timestamptz, clock_timestamp()) + make_interval(secs => $4 * 2 ^ attempts) END
WHERE account_id = $1 AND due_at < 'infinity' RETURNING attempts AS tries`,
  { tries: int4 },
);

export interface OpenChannel {
  id: string;
  accountId: string;
  applicationId: string;
  callbackUrl: string;
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
  /** Milliseconds since 1970. */
  unnotifiedSince: number | null;
  paused: boolean;
  /** It is notified of writes that a provider refused. */
  writeRefused: boolean;
}

export const lockOpenChannels = statement<OpenChannel>(
  prepared(
    "lock open channels",
    `SELECT c.id, c.account_id AS "accountId", a.application_id AS "applicationId", c.callback_url AS "callbackUrl",
CASE WHEN c.all_calendars THEN NULL ELSE c.calendar_ids END AS "calendarIds", c.only_managed AS "onlyManaged",
date_part('epoch', c.unnotified_since) * 1000 AS "unnotifiedSince", c.paused_at IS NOT NULL AS paused,
c.write_refused AS "writeRefused"
FROM channels c JOIN accounts a ON a.id = c.account_id
WHERE c.account_id = ANY (ARRAY(SELECT unnest($1::text[]))) AND c.closed_at IS NULL AND NOT c.of_trigger ORDER BY c.id FOR SHARE OF c`,
  ),
  {
    id: text,
    accountId: text,
    applicationId: text,
    callbackUrl: text,
    calendarIds: nullable(texts),
    onlyManaged: nullable(bool),
    unnotifiedSince: nullable(float8),
    paused: bool,
    writeRefused: bool,
  },
);

/** A held delivery has no next attempt. */
export const insertDeliveries = command(
  prepared(
    "insert deliveries",
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, changes_since, trace, created_at, next_attempt_at)
SELECT id, channel_id, account_id, application_id, type, body, host, changes_since, trace, now, CASE WHEN held IS NULL THEN now END
FROM jsonb_to_recordset($1::jsonb) AS d(id text, channel_id text, account_id text, application_id text, type text, body text,
  host text, changes_since timestamptz, trace text, held boolean), (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now) t`,
  ),
);

/**
 * A `change` that will be attempted, and the time from which its body tells the receiver to read, in milliseconds since
 * 1970.
 */
export interface PendingChange {
  id: string;
  channelId: string;
  attempts: number;
  since: number;
}

export const lockPendingChanges = statement<PendingChange>(
  `WITH t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now)
SELECT d.id, d.channel_id AS "channelId", d.attempts, (date_part('epoch', d.changes_since) * 1000)::float8 AS since FROM deliveries d, t
WHERE d.id IN (SELECT DISTINCT ON (channel_id) id FROM deliveries WHERE account_id = ANY ($1) AND state = 'pending' AND type = 'change'
    AND replay_state IS NULL AND changes_since IS NOT NULL ORDER BY channel_id, created_at DESC, id DESC)
  AND d.state = 'pending' AND d.replay_state IS NULL AND d.attempts - d.manual_attempts < ${MOST_ATTEMPTS}
  AND d.created_at + make_interval(secs => ${GIVEN_UP_AFTER_MS / SECOND_MS}) > t.now
ORDER BY d.id FOR UPDATE OF d`,
  { id: text, channelId: text, attempts: int4, since: float8 },
);

export const joinPending = command(`WITH t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
j AS (SELECT one.id, one.since, greatest(t.now, (SELECT a.started_at + make_interval(secs => ${LONGEST_WAIT_S}) FROM attempts a
    WHERE ${isAttemptOf("a", "d", "$3")} ORDER BY a.number DESC LIMIT 1)) AS soon
  FROM jsonb_to_recordset($1::jsonb) AS one(id text, since timestamptz) JOIN deliveries d ON d.id = one.id AND d.state = 'pending', t),
hurried AS (SELECT j.*, d.lease IS NULL AND d.replay_from IS NULL AND d.next_attempt_at > j.soon AS is_hurried
  FROM j JOIN deliveries d ON d.id = j.id AND d.state = 'pending')
UPDATE deliveries d SET joined_since = least(d.joined_since, h.since),
  replay_from = CASE WHEN h.is_hurried THEN d.attempts ELSE d.replay_from END,
  replay_id = CASE WHEN h.is_hurried THEN '${FOR_CHANGES}' ELSE d.replay_id END,
  scheduled_at = CASE WHEN h.is_hurried THEN d.next_attempt_at ELSE d.scheduled_at END,
  next_attempt_at = CASE WHEN h.is_hurried THEN h.soon ELSE d.next_attempt_at END
FROM hurried h WHERE d.id = h.id AND d.state = 'pending'`);
