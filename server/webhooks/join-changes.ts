import { FOR_CHANGES } from "@/server/db/cancelled";
import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { wake } from "@/server/db/wake";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS } from "@/server/domain/channels/schedule";
import type { Instant } from "@/server/domain/time/instant";

const SECOND_MS = 1_000;
/**
 * While changes wait for a delivery, it is attempted at least this often: its receiver may be back long before the schedule's next
 * attempt.
 */
const LONGEST_WAIT_S = 60;

/** A `change` that will be attempted, and the time from which its body tells the receiver to read, in milliseconds since 1970. */
export interface PendingChange {
  id: string;
  channelId: string;
  attempts: number;
  since: number;
}

/**
 * The newest pending `change` of each of the account's channels, locked, unless it is pending only because staff retry it, or will not
 * be attempted again.
 */
export async function pendingChanges(query: Query, accountId: string): Promise<PendingChange[]> {
  return await query<PendingChange>(locking, [accountId, databaseTime()]);
}

const locking = `WITH t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now)
SELECT d.id, d.channel_id AS "channelId", d.attempts, (date_part('epoch', d.changes_since) * 1000)::float8 AS since FROM deliveries d, t
WHERE d.id IN (SELECT DISTINCT ON (channel_id) id FROM deliveries WHERE account_id = $1 AND state = 'pending' AND type = 'change'
    AND replay_state IS NULL AND changes_since IS NOT NULL ORDER BY channel_id, created_at DESC, id DESC)
  AND d.state = 'pending' AND d.replay_state IS NULL AND d.attempts - d.manual_attempts < ${MOST_ATTEMPTS}
  AND d.created_at + make_interval(secs => ${GIVEN_UP_AFTER_MS / SECOND_MS}) > t.now
ORDER BY d.id FOR UPDATE OF d`;

/** Whether a read with the body's `changes_since` also returns the changes since then. */
export function covers({ since: bodySince }: PendingChange, since: Instant): boolean {
  return Math.floor(bodySince / SECOND_MS) * SECOND_MS <= since;
}

export interface JoinInput {
  id: string;
  since: Instant;
}

/**
 * Makes changes wait for the end of a delivery that was attempted already. That delivery cannot announce them: its receiver may have
 * read before they came, and may know its id. A delivery that waits long for its retry gets an attempt outside the schedule.
 */
export async function joinChanges(query: Query, joining: readonly JoinInput[]): Promise<void> {
  const rows = joining.map(({ id, since }) => ({ id, since: new Date(since).toISOString() }));
  await query(joiningStatement, [JSON.stringify(rows), databaseTime()]);
  wake("deliver");
}

const joiningStatement = `WITH t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
j AS (SELECT one.id, one.since, greatest(t.now, (SELECT a.started_at + make_interval(secs => ${LONGEST_WAIT_S}) FROM attempts a
    WHERE a.delivery_id = one.id ORDER BY a.number DESC LIMIT 1)) AS soon
  FROM jsonb_to_recordset($1::jsonb) AS one(id text, since timestamptz), t),
hurried AS (SELECT j.*, d.lease IS NULL AND d.replay_from IS NULL AND d.next_attempt_at > j.soon AS is_hurried FROM j JOIN deliveries d ON d.id = j.id)
UPDATE deliveries d SET joined_since = least(d.joined_since, h.since),
  replay_from = CASE WHEN h.is_hurried THEN d.attempts ELSE d.replay_from END,
  replay_id = CASE WHEN h.is_hurried THEN '${FOR_CHANGES}' ELSE d.replay_id END,
  scheduled_at = CASE WHEN h.is_hurried THEN d.next_attempt_at ELSE d.scheduled_at END,
  next_attempt_at = CASE WHEN h.is_hurried THEN h.soon ELSE d.next_attempt_at END
FROM hurried h WHERE d.id = h.id`;
