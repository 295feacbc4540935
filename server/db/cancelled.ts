/** The `replay_id` of an attempt beside the schedule that the service asked for, not staff. */
export const FOR_CHANGES = "for changes";

/** Writes SQL for whether an attempt that staff requested is still to come. */
export const isAskedByStaff = (d: string) =>
  `${d}.state = 'pending' AND ${d}.replay_from IS NOT NULL AND ${d}.replay_id IS DISTINCT FROM '${FOR_CHANGES}'`;

/**
 * Writes SQL that ends the attempts of a pending delivery: it is cancelled at `now`, or returns to its earlier state if only a
 * retry was pending.
 */
export const cancelled = (now: string) => `state = coalesce(replay_state, 'cancelled'),
finished_at = CASE WHEN replay_state IS NULL THEN ${now} ELSE finished_at END,
next_attempt_at = NULL, lease = NULL, leased_until = NULL, replay_from = NULL`;
