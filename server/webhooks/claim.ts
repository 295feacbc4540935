import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS, WAITS_MS } from "@/server/domain/channels/schedule";

/** At most so many attempts at one host at once, over all processes. */
export const MOST_PER_HOST = 5;
const CLAIM_LOCK = 7_302_621;
/** Longer than any attempt with its bookkeeping. */
const LEASE_S = 15;
const LOOKED_AT = 50;

/** A delivery that this process may attempt now; what is written about it later must show the lease. */
export interface Claimed {
  id: string;
  lease: string;
  /** Which attempt this is, 1 for the first; it counts whatever becomes of it. */
  attempt: number;
  channelId: string;
  callbackUrl: string;
  host: string;
  body: string;
  sealedSecret: string;
  compatibilityMode: boolean;
  clientSecrets: { id: string; sealed: string }[];
}

const time = "t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now)";

/**
 * Takes up to `most` deliveries that are due, the longest due first, leaving out hosts that are busy and the given ones. The
 * attempt is counted here, and the next one is due at the documented wait from here: a process that dies with it loses nothing,
 * comes never early, and cannot loop.
 */
export async function claim(db: Database, most: number, without: readonly string[]): Promise<Claimed[]> {
  const lease = randomUUID();
  const rows = await db.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock($1)", [CLAIM_LOCK]);
    return await query<Omit<Claimed, "lease">>(claiming, [
      databaseTime(),
      lease,
      most,
      [...without],
      MOST_PER_HOST,
      LOOKED_AT,
      WAITS_MS.map((wait) => wait / 1000),
      LEASE_S,
      MOST_ATTEMPTS,
      GIVEN_UP_AFTER_MS / 1000,
    ]);
  });
  return rows.map((row) => ({ ...row, lease }));
}

const claiming = `WITH ${time},
busy AS (SELECT host, count(*)::int AS n FROM deliveries, t WHERE state = 'pending' AND leased_until > t.now GROUP BY host),
due AS (SELECT d.id, d.host, d.next_attempt_at FROM deliveries d, t WHERE d.state = 'pending' AND d.next_attempt_at <= t.now
  AND d.attempts < $9 AND d.created_at + make_interval(secs => $10) > t.now AND NOT d.host = ANY ($4::text[]) AND NOT EXISTS (SELECT FROM busy b WHERE b.host = d.host AND b.n >= $5)
  ORDER BY d.next_attempt_at LIMIT $6),
ranked AS (SELECT id, host, next_attempt_at, row_number() OVER (PARTITION BY host ORDER BY next_attempt_at, id) AS place FROM due),
chosen AS (SELECT r.id FROM ranked r LEFT JOIN busy b ON b.host = r.host WHERE r.place <= $5 - coalesce(b.n, 0)
  ORDER BY r.place, r.next_attempt_at LIMIT $3)
UPDATE deliveries d SET attempts = d.attempts + 1, lease = $2, leased_until = t.now + make_interval(secs => $8),
  next_attempt_at = t.now + make_interval(secs => coalesce(($7::float8[])[d.attempts + 1], $8))
FROM chosen, t, channels c, applications a
WHERE d.id = chosen.id AND d.state = 'pending' AND c.id = d.channel_id AND c.closed_at IS NULL AND a.id = d.application_id
RETURNING d.id, d.attempts AS attempt, d.channel_id AS "channelId", c.callback_url AS "callbackUrl", d.host, d.body,
  c.sealed_secret AS "sealedSecret", a.compatibility_mode AS "compatibilityMode",
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed) ORDER BY s.created_at, s.id), '[]')
   FROM client_secrets s WHERE s.application_id = a.id AND s.retired_at IS NULL) AS "clientSecrets"`;

/**
 * Ends what must not be attempted again: the tenth attempt was lost with its process, 48 hours are over ("Events", 5), or the
 * channel was closed while the delivery was being made.
 */
export async function endOverdue(db: Database): Promise<number> {
  const rows = await db.query<{ n: number }>(ending, [databaseTime(), MOST_ATTEMPTS, GIVEN_UP_AFTER_MS / 1000]);
  return rows[0]?.n ?? 0;
}

const ending = `WITH ${time},
ended AS (UPDATE deliveries d SET state = (CASE WHEN c.closed_at IS NULL THEN 'failed' ELSE 'cancelled' END)::delivery_state,
    finished_at = t.now, next_attempt_at = NULL, lease = NULL, leased_until = NULL
  FROM t, channels c WHERE c.id = d.channel_id AND d.state = 'pending' AND d.next_attempt_at <= t.now
    AND (d.attempts >= $2 OR d.created_at + make_interval(secs => $3) <= t.now OR c.closed_at IS NOT NULL)
  RETURNING d.channel_id, d.changes_since, d.state),
told AS (UPDATE channels c SET unnotified_since = least(c.unnotified_since, e.since)
  FROM (SELECT channel_id, min(changes_since) AS since FROM ended WHERE state = 'failed' GROUP BY channel_id) e
  WHERE c.id = e.channel_id AND e.since IS NOT NULL)
SELECT count(*)::int AS n FROM ended`;

/** When the next delivery that nobody holds is due, in milliseconds since 1970; null: none is pending. */
export async function nextAttemptAt(db: Database): Promise<number | null> {
  const [row] = await db.query<{ at: number | null }>(
    `SELECT date_part('epoch', min(next_attempt_at)) * 1000 AS at FROM deliveries WHERE state = 'pending'`,
  );
  return row?.at ?? null;
}
