import { dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { dropAccessTokens, dropCodes, dropLinkTokens, dropSignIns } from "@/server/store/grants/drop-expired.sql";

/** Staff may still ask what became of a code or link token on the day after. */
const KEPT_MS = 86_400_000;

/**
 * Deletes access tokens, codes and link tokens that expired over a day ago, and every expired sign-in at a provider. A token that was
 * deleted can revoke nothing any more. The code of an account without a grant stays: `revokeUnexchanged` knows the account by it. True: a
 * piece of them, and there may be more.
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
