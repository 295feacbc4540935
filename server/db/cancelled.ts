/**
 * SQL that sets what a pending delivery becomes that must not be attempted any more: cancelled, at `now`; one that was only to
 * be sent again becomes what it was.
 */
export const cancelled = (now: string) => `state = coalesce(replay_state, 'cancelled'),
finished_at = CASE WHEN replay_state IS NULL THEN ${now} ELSE finished_at END,
next_attempt_at = NULL, lease = NULL, leased_until = NULL, replay_from = NULL`;
