import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { revokeWithin } from "@/server/services/grants/revoke-account";

const KEPT_MS = 86_400_000;
/** Each is a transaction of its own; the next call goes on. */
const MOST_ACCOUNTS = 1_000;

/**
 * Forgets what nobody came for: the credential in a code that has expired, and whole accounts a day after the last code for them
 * expired, when none was ever exchanged. An account that has been exchanged once keeps its grant, so one that was only connected again
 * stays. Judged by the database's clock.
 */
export async function revokeUnexchanged(db: Database): Promise<void> {
  const time = await queryOne<{ now: Date }>(db.query, "SELECT coalesce($1::timestamptz, clock_timestamp()) AS now", [
    databaseTime(),
  ]);
  await db.query("UPDATE codes SET pending = NULL WHERE pending IS NOT NULL AND expires_at <= $1", [time.now]);
  const before = new Date(time.now.getTime() - KEPT_MS);
  const abandoned = await db.query<{ id: string }>(
    `SELECT DISTINCT account_id AS id FROM codes c WHERE expires_at < $1
  AND NOT EXISTS (SELECT FROM grants g WHERE g.account_id = c.account_id) LIMIT ${MOST_ACCOUNTS}`,
    [before],
  );
  for (const { id } of abandoned)
    await db.transaction((query) => revokeAbandoned(query, { id, before, now: time.now }));
}

/** The account is taken first, and looked at then: whoever connects at this moment is waited for. */
async function revokeAbandoned(query: Query, { id, before, now }: { id: string; before: Date; now: Date }) {
  await query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [id]);
  const kept = await query(
    `SELECT FROM accounts a WHERE id = $1 AND (EXISTS (SELECT FROM grants g WHERE g.account_id = a.id)
  OR EXISTS (SELECT FROM codes c WHERE c.account_id = a.id AND c.expires_at >= $2))`,
    [id, before],
  );
  if (kept.length === 0) await revokeWithin(query, id, now.getTime());
}
