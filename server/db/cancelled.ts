/** The `replay_id` of an attempt beside the schedule that the service asked for, not staff. */
export const FOR_CHANGES = "for changes";

/** SQL: an attempt that staff asked for is to come. */
export const isAskedByStaff = (d: string) =>
  `${d}.state = 'pending' AND ${d}.replay_from IS NOT NULL AND ${d}.replay_id IS DISTINCT FROM '${FOR_CHANGES}'`;

/**
 * SQL that sets what a pending delivery becomes that must not be attempted any more: cancelled, at `now`; one that was only to
 * be sent again becomes what it was.
 */
export const cancelled = (now: string) => `state = coalesce(replay_state, 'cancelled'),
finished_at = CASE WHEN replay_state IS NULL THEN ${now} ELSE finished_at END,
next_attempt_at = NULL, lease = NULL, leased_until = NULL, replay_from = NULL`;
