import { command } from "@/server/db/statement";

/** The poll stays due when it was, unless it is due by then. Rejected credentials are confirmed when that is due. */
export const syncEarlyStatement = command(`UPDATE profile_syncs SET sync_due_at = least(sync_due_at, t.at),
  poll_due_at = CASE WHEN sync_due_at > t.at THEN coalesce(poll_due_at, sync_due_at) ELSE poll_due_at END
FROM (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $2::float8 / 1000) AS at) t
WHERE profile_id = ANY ($1::text[]) AND readable AND sync_due_at IS NOT NULL AND sync_error IS DISTINCT FROM 'credentials_rejected'`);
