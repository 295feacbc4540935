import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";

/** Staff may still ask what became of a code or link token on the day after. */
const KEPT_MS = 86_400_000;

/** Deletes access tokens, codes and link tokens that expired over a day ago. Revocation by an older access token is then unknown. */
export async function dropExpiredTokens(db: Database, now: Instant): Promise<void> {
  const before = new Date(now - KEPT_MS);
  for (const table of ["access_tokens", "codes", "link_tokens"]) {
    await db.query(`DELETE FROM ${table} WHERE expires_at < $1`, [before]);
  }
}
