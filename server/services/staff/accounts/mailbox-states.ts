/** One failed sync is a hiccup, and so is a process that ended in the middle of one. */
const FEWEST_FAILURES = 3;
const LATE_AFTER = "interval '5 minutes'";

/** Returns SQL for whether a row of `profile_syncs` belongs to a mailbox with several failed syncs in a row. */
export const isFailing = (sync: string) => `(${sync}.readable AND ${sync}.sync_failures >= ${FEWEST_FAILURES})`;

/**
 * SQL that joins the profile, as `p`, of each row `s` of `profile_syncs`, row by row: such rows are few, and PostgreSQL
 * without statistics would otherwise read all profiles.
 */
export const profileOfSync = "CROSS JOIN LATERAL (SELECT * FROM profiles WHERE id = s.profile_id OFFSET 0) p";

/** Returns SQL for whether a row of `profile_syncs` belongs to a mailbox whose sync is long overdue. `now`: SQL. */
export const isOverdue = (sync: string, now: string) =>
  `${sync}.readable AND ${sync}.sync_due_at < ${now} - ${LATE_AFTER}`;

/**
 * Returns SQL for whether a row of `profile_syncs` belongs to a mailbox whose sync is long overdue, except failing
 * ones. `now`: SQL.
 */
export const isLate = (sync: string, now: string) =>
  `${isOverdue(sync, now)} AND ${sync}.sync_failures < ${FEWEST_FAILURES}`;

/** Returns SQL that joins overdue rows, as `s`. */
export const lateSyncs = (now: string) =>
  `unnest(enum_range(NULL::provider)) AS every(provider) CROSS JOIN (VALUES (false), (true)) AS lane(is_first)
  JOIN profile_syncs s ON s.provider = every.provider AND s.first_sync = lane.is_first AND ${isLate("s", now)}`;
