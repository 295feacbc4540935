import { command } from "@/server/db/statement";
import { awaitingLinks } from "@/server/store/mailboxes/meeting-links.sql";

const nextPoll =
  "CASE WHEN $11::boolean AND poll_due_at IS NOT NULL THEN poll_due_at ELSE t.now + make_interval(secs => $8::float8 / 1000) END";
/** After a sync that was not refused: when a meeting link is looked for. */
const sooner = `(SELECT min(e.link_due_at) ${awaitingLinks("$1")} AND $7::boolean)`;
const isRequested = `connected AND (connection <> $9
  OR (sync_due_at < sync_leased_until AND $6::text IS DISTINCT FROM 'credentials_rejected'))`;
/** Stopped, so that the next sync continues this one. */
const isStopped = "($8::float8 = 0)";

/**
 * Its values: the profile, the lease, the time, failures, whether the error stays, the error, whether it was read, the wait in
 * milliseconds, the connection that was claimed, whether it was slow, whether the next poll stays due when it was.
 */
export const releaseProfile = command(`WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) AS now)
UPDATE profiles SET sync_lease = NULL, sync_leased_until = NULL,
  sync_failures = CASE WHEN connection <> $9 THEN 0 ELSE $4 END,
  sync_error = CASE WHEN $5 THEN sync_error WHEN connection <> $9 THEN NULL ELSE $6 END,
  sync_slow = $10, last_sync_at = CASE WHEN $7 THEN t.now ELSE last_sync_at END,
  sync_due_at = CASE WHEN ${isRequested} OR ${isStopped} THEN t.now WHEN $8::float8 IS NULL THEN NULL
    ELSE least(${nextPoll}, ${sooner}) END,
  poll_due_at = CASE WHEN ${isStopped} THEN poll_due_at WHEN ${isRequested} AND poll_due_at IS NULL THEN NULL
    WHEN ${isRequested} OR ${sooner} < ${nextPoll} THEN ${nextPoll} END
FROM t WHERE id = $1 AND sync_lease = $2`);
