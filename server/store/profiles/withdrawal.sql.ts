import { command, statement, text } from "@/server/db/statement";

/** Notes that a key is refused, unless it was replaced. */
export const withdrawDelegation = statement<{ id: string }>(
  "UPDATE delegations SET withdrawn_at = coalesce(withdrawn_at, $3::timestamptz, clock_timestamp()) WHERE id = $1 AND sealed = $2 RETURNING id",
  { id: text },
);

/** Connects a profile again with the credential that it has. */
export const reconnectProfile = command(
  `WITH connected AS (UPDATE profiles SET connected = true, disconnected_at = NULL, connection = connection + 1
  WHERE id = $1 AND NOT connected AND delegation_id IS NOT NULL RETURNING id)
UPDATE profile_syncs s SET sync_error = NULL, sync_failures = 0, poll_due_at = NULL, sync_lease = NULL, sync_leased_until = NULL,
  sync_due_at = coalesce($2::timestamptz, clock_timestamp()) FROM connected WHERE s.profile_id = connected.id`,
);
