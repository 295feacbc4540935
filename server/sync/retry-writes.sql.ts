import { prepared } from "@/server/db/client";
import { command, statement, text } from "@/server/db/statement";
import { becomes, isOpen, isResumable, wasAway } from "@/server/store/events/write-states";
import { resumeStatement } from "@/server/store/provider-writes/provider-writes.sql";

/** With $3 only if the last sync found the provider down. */
export const retryWrites = command(
  prepared(
    "retry writes",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
held AS (SELECT w.id FROM provider_writes w, t
  WHERE w.profile_id = $2 AND ${isOpen("w")} AND w.due_at > t.now AND (w.leased_until IS NULL OR w.leased_until <= t.now)
    AND ${wasAway("w")}
    AND (NOT $3 OR EXISTS (SELECT FROM profile_syncs WHERE profile_id = $2 AND sync_error IN ('down', 'no_mailbox', 'misconfigured'))) FOR UPDATE OF w SKIP LOCKED)
UPDATE provider_writes w SET due_at = t.now FROM held, t WHERE w.id = held.id`,
  ),
);

export const resumeGivenUp = statement<{ id: string }>(
  prepared(
    "resume given up",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
given_up AS (SELECT w.id, w.suspended AND NOT p.connected AS suspended FROM profiles p JOIN profile_syncs s ON s.profile_id = p.id
    JOIN provider_writes w ON w.account_id = p.account_id AND w.profile_id = p.id
  WHERE p.id = $2 AND ${isResumable("w", "s")} FOR UPDATE OF w SKIP LOCKED),
left_suspended AS (SELECT w.id, w.created_at FROM provider_writes w WHERE w.profile_id = $2 AND w.suspended
    AND EXISTS (SELECT FROM profiles WHERE id = $2 AND connected) AND w.id NOT IN (SELECT id FROM given_up) FOR UPDATE OF w SKIP LOCKED),
freed AS (${resumeStatement("left_suspended")} RETURNING w.id),
resumed AS (UPDATE provider_writes w SET ${becomes.queued}, created_at = t.now, suspended = given_up.suspended
  FROM given_up, t WHERE w.id = given_up.id RETURNING w.id)
SELECT id::text FROM freed UNION ALL SELECT id::text FROM resumed`,
  ),
  { id: text },
);
