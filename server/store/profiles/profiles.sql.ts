import { command, statement, text } from "@/server/db/statement";

export const lockAccountOfProfile = command(
  "SELECT FROM accounts a JOIN profiles p ON p.account_id = a.id WHERE p.id = $1 FOR NO KEY UPDATE OF a",
);

export const markDisconnected = statement<{ accountId: string }>(
  `UPDATE profiles SET connected = false, disconnected_at = coalesce($2::timestamptz, clock_timestamp())
WHERE id = $1 AND connected RETURNING account_id AS "accountId"`,
  { accountId: text },
);

export const markInitialSyncCompleted = statement<{ accountId: string }>(
  `UPDATE profiles SET initial_sync_required = false WHERE id = $1 AND initial_sync_required RETURNING account_id AS "accountId"`,
  { accountId: text },
);
