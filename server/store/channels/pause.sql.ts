import { isAskedByStaff } from "@/server/db/cancelled";
import { command, statement, text } from "@/server/db/statement";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS } from "@/server/domain/channels/schedule";
import { DELIVERIES_KEPT_DAYS } from "@/server/domain/retention";

const now = "coalesce($2::timestamptz, clock_timestamp())";
const byStaff = `(${isAskedByStaff("deliveries")})`;

export const markPaused = statement<{ id: string }>(
  `UPDATE channels SET paused_at = ${now} WHERE id = $1 AND closed_at IS NULL AND paused_at IS NULL RETURNING id`,
  { id: text },
);

/** The next notification announces what deliveries announced that were deleted while held. */
export const markResumed = statement<{ id: string }>(
  `UPDATE channels SET paused_at = NULL, unnotified_since = CASE WHEN paused_at < ${now} - interval '${DELIVERIES_KEPT_DAYS} days'
  THEN least(unnotified_since, paused_at) ELSE unnotified_since END
WHERE id = $1 AND closed_at IS NULL AND paused_at IS NOT NULL RETURNING id`,
  { id: text },
);

/**
 * Requested attempts are made all the same, and the delivery is held afterwards. An attempt in progress ends; its
 * outcome keeps the hold.
 */
export const holdDeliveries = command(
  `UPDATE deliveries SET scheduled_at = NULL, next_attempt_at = CASE WHEN ${byStaff} THEN next_attempt_at END,
  replay_from = CASE WHEN ${byStaff} THEN replay_from END
WHERE channel_id = $1 AND state = 'pending'`,
);

const isOver = `(d.attempts - d.manual_attempts >= ${MOST_ATTEMPTS} OR d.created_at + make_interval(secs => ${GIVEN_UP_AFTER_MS / 1000}) <= t.now)`;

/** Everything that is held is due now. A delivery that has outlived its schedule is sent once, as if staff had retried it. */
export const releaseDeliveries = command(
  `UPDATE deliveries d SET scheduled_at = t.now, next_attempt_at = coalesce(d.next_attempt_at, greatest(t.now, d.leased_until)),
  replay_from = CASE WHEN d.next_attempt_at IS NOT NULL THEN d.replay_from WHEN ${isOver} THEN d.attempts END,
  replay_id = CASE WHEN d.next_attempt_at IS NOT NULL THEN d.replay_id END
FROM (SELECT ${now} AS now) t WHERE d.channel_id = $1 AND d.state = 'pending'
  AND (d.next_attempt_at IS NULL OR d.replay_from IS NOT NULL AND d.replay_state IS NULL AND d.scheduled_at IS NULL)`,
);
