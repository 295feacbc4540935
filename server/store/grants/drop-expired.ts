import { dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { dropAccessTokens, dropCodes, dropLinkTokens, dropSignIns } from "@/server/store/grants/drop-expired.sql";

/** A day later staff can still see what happened to a code or link token. */
const KEPT_MS = 86_400_000;

/**
 * Deletes access tokens, codes and link tokens that expired over a day ago, and every expired sign-in at a provider. A
 * deleted token can no longer be used to revoke. Keeps the code of an account without a grant: `revokeUnexchanged`
 * finds the account by it. Returns true after a piece, when there may be more.
 */
export async function dropExpiredTokens(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean> {
  const before = new Date(now - KEPT_MS);
  return await dropBatches({ query: db.query, goesOn }, [
    [dropAccessTokens, before],
    [dropLinkTokens, before],
    [dropSignIns, new Date(now)],
    [dropCodes, before],
  ]);
}
