import { command } from "@/server/db/statement";

export const bringSyncForward = command(
  `UPDATE profile_syncs SET sync_due_at = least(sync_due_at, coalesce($2::timestamptz, clock_timestamp())), poll_due_at = NULL
WHERE profile_id = $1 AND readable AND sync_error IS DISTINCT FROM 'credentials_rejected'`,
);
