import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";

export interface Retried {
  accountId: string;
  calendarId: string;
  /** It had been rejected or given up. Otherwise it was waiting for its next attempt. */
  wasRefused: boolean;
}

/**
 * Makes a rejected or waiting write due now, with its waits starting again. Call `wake("push")` after the commit. A push in progress
 * continues. Returns null if the write does not exist or was reverted.
 */
export async function retryWrite(query: Query, id: string): Promise<Retried | null> {
  const [write] = await query<Retried>(
    `WITH before AS (SELECT id, refused_at IS NOT NULL AS was_refused FROM provider_writes WHERE id = $1::bigint AND reverted_at IS NULL FOR UPDATE)
UPDATE provider_writes w SET refused_at = NULL, attempts = 0, due_at = t.now, created_at = CASE WHEN was_refused THEN t.now ELSE created_at END
FROM before, (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now) t WHERE w.id = before.id
RETURNING w.account_id AS "accountId", w.calendar_id AS "calendarId", before.was_refused AS "wasRefused"`,
    [id, databaseTime()],
  );
  return write ?? null;
}
