import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";

/** Staff may still ask what became of a code or link token on the day after. */
const KEPT_MS = 86_400_000;

/**
 * Deletes access tokens, codes and link tokens that expired over a day ago. Revocation by an older access token is then unknown. The
 * code of an account without a grant stays: `revokeUnexchanged` knows the account by it.
 */
export async function dropExpiredTokens(db: Database, now: Instant): Promise<void> {
  const before = new Date(now - KEPT_MS);
  for (const table of ["access_tokens", "link_tokens"]) {
    await db.query(`DELETE FROM ${table} WHERE expires_at < $1`, [before]);
  }
  await db.query(
    "DELETE FROM codes c WHERE expires_at < $1 AND EXISTS (SELECT FROM grants g WHERE g.account_id = c.account_id)",
    [before],
  );
}
