import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { wake } from "@/server/db/wake";
import { resumeStatement } from "@/server/store/provider-writes/suspended";

/**
 * Makes due at once what waits because the profile's provider was away: it is there again. What it asked to be given time for
 * goes on waiting. With `ifAway` only where the last sync found it away.
 */
export async function retryWritesNow(db: Database, profileId: string, { ifAway }: { ifAway: boolean }): Promise<void> {
  await db.query(hurrying, [databaseTime(), profileId, ifAway]);
}

const hurrying = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
held AS (SELECT w.id FROM provider_writes w, t
  WHERE w.profile_id = $2 AND w.refused_at IS NULL AND NOT w.suspended AND w.due_at > t.now AND (w.leased_until IS NULL OR w.leased_until <= t.now)
    AND w.last_error IN ('down', 'credentials_rejected')
    AND (NOT $3 OR EXISTS (SELECT FROM profiles WHERE id = $2 AND sync_error = 'down')) FOR UPDATE OF w SKIP LOCKED)
UPDATE provider_writes w SET due_at = t.now FROM held, t WHERE w.id = held.id`;

/**
 * Takes up again what was given up while the profile's provider was away, when it answers for the first time since: before the profile
 * is read, so that what the application said is kept. A write that fails where others come through stays given up. What is suspended
 * still although the profile is connected, as after a process that knows no parking, goes on, too.
 */
export async function resumeGivenUpWrites(db: Database, profileId: string): Promise<void> {
  const revived = await db.query<{ id: string }>(reviving, [databaseTime(), profileId]);
  if (revived.length > 0) wake("push");
}

/** A provider that nobody could read for so long was away, and not only to this write. */
const AWAY = "interval '24 hours'";

const reviving = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
given_up AS (SELECT w.id, w.suspended AND NOT p.connected AS suspended FROM profiles p
    JOIN provider_writes w ON w.account_id = p.account_id AND w.profile_id = p.id
  WHERE p.id = $2 AND w.refused_at IS NOT NULL AND w.reverted_at IS NULL AND w.last_error IN ('down', 'credentials_rejected', 'throttled')
    AND coalesce(p.last_sync_at, '-infinity') < w.refused_at - ${AWAY} FOR UPDATE OF w SKIP LOCKED),
left_suspended AS (SELECT w.id, w.created_at FROM provider_writes w WHERE w.profile_id = $2 AND w.suspended
    AND EXISTS (SELECT FROM profiles WHERE id = $2 AND connected) AND w.id NOT IN (SELECT id FROM given_up) FOR UPDATE OF w SKIP LOCKED),
freed AS (${resumeStatement("left_suspended")} RETURNING w.id),
revived AS (UPDATE provider_writes w SET refused_at = NULL, attempts = 0, due_at = t.now, created_at = t.now, suspended = given_up.suspended
  FROM given_up, t WHERE w.id = given_up.id RETURNING w.id)
SELECT id::text FROM freed UNION ALL SELECT id::text FROM revived`;
