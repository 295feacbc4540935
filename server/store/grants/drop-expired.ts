import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { deleteExpiredCodes } from "@/server/store/grants/codes.sql";

/** Staff may still ask what became of a code or link token on the day after. */
const KEPT_MS = 86_400_000;

/**
 * Deletes access tokens, codes and link tokens that expired over a day ago, and every expired sign-in at a provider. A token that was
 * deleted can revoke nothing any more. The code of an account without a grant stays: `revokeUnexchanged` knows the account by it.
 */
export async function dropExpiredTokens({ prisma, query }: Database, now: Instant): Promise<void> {
  const before = new Date(now - KEPT_MS);
  const isOld = { where: { expiresAt: { lt: before } } };
  await prisma.accessToken.deleteMany(isOld);
  await prisma.linkToken.deleteMany(isOld);
  await prisma.providerSignIn.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
  await run(query, deleteExpiredCodes, [before]);
}
