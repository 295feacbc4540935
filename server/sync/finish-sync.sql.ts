import { prepared } from "@/server/db/client";
import { command } from "@/server/db/statement";
import { QUIET_SHARE } from "@/server/domain/providers";
import { awaitingLinks } from "@/server/store/mailboxes/meeting-links.sql";
import { isPolledAlone, isRetriedAlone, readAgainAt } from "@/server/store/mailboxes/polled-alone.sql";

/** The wait grows while nothing changes in any calendar of the profile. */
const pollWait = `CASE WHEN $13::float8 IS NULL THEN $8::float8 ELSE greatest($8::float8, least($13::float8, quiet.ms * ${QUIET_SHARE})) END`;
const nextPoll = `CASE WHEN $11::boolean AND poll_due_at IS NOT NULL THEN poll_due_at ELSE t.now + make_interval(secs => (${pollWait}) / 1000) END`;
/**
 * After a sync that was not refused: when a meeting link is looked for, a calendar is polled alone, one that could not be read is tried
 * again, or one is read again that was not read whole after a notice. A condition of a value alone would be decided before planning, and
 * the statement planned anew each time.
 */
const sooner = `CASE WHEN (SELECT $7::boolean) THEN least((SELECT min(e.link_due_at) ${awaitingLinks("$1")}),
  (SELECT min(CASE WHEN ${readAgainAt("c")} > t.now THEN ${readAgainAt("c")} ELSE t.now + make_interval(secs => $12::float8 / 1000) END)
    FROM calendars c WHERE c.profile_id = $1 AND NOT c.deleted
      AND ($11::boolean AND c.stale_at IS NOT NULL OR ${isPolledAlone("c", "t.now")} OR ${isRetriedAlone("c", "t.now")}))) END`;
const isRequested = `readable AND (p.connection <> $9
  OR (sync_due_at < sync_leased_until AND $6::text IS DISTINCT FROM 'credentials_rejected'))`;
/** Stopped, so that the next sync continues this one. */
const isStopped = "($8::float8 = 0)";

/**
 * Its values: the profile, the lease, the time, failures, whether the error stays, the error, whether it was read, the wait in
 * milliseconds, the connection that was claimed, whether it was slow, whether the next poll stays due when it was, the wait of a
 * calendar that is polled alone and has no time of its own, and the longest wait of a profile in which nothing changes, in milliseconds;
 * null: the wait is what was said.
 */
export const releaseProfile = command(
  prepared(
    "release profile",
    `WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) AS now),
soon AS (SELECT ${sooner} AS at FROM t),
quiet AS (SELECT coalesce(date_part('epoch', min(t.now) - max(c.changed_at)) * 1000, 0) AS ms FROM t LEFT JOIN calendars c ON c.profile_id = $1 AND NOT c.deleted)
UPDATE profile_syncs s SET sync_lease = NULL, sync_leased_until = NULL,
  sync_failures = CASE WHEN p.connection <> $9 THEN 0 ELSE $4 END,
  sync_error = CASE WHEN $5 THEN sync_error WHEN p.connection <> $9 THEN NULL ELSE $6 END,
  sync_slow = $10, last_sync_at = CASE WHEN $7 THEN t.now ELSE last_sync_at END,
  sync_due_at = CASE WHEN ${isRequested} OR ${isStopped} THEN t.now WHEN $8::float8 IS NULL THEN NULL
    ELSE least(${nextPoll}, soon.at) END,
  poll_due_at = CASE WHEN ${isStopped} THEN poll_due_at WHEN ${isRequested} AND poll_due_at IS NULL THEN NULL
    WHEN ${isRequested} OR soon.at < ${nextPoll} THEN ${nextPoll} END
FROM t, soon, quiet, profiles p WHERE s.profile_id = $1 AND p.id = s.profile_id AND s.sync_lease = $2`,
  ),
);
