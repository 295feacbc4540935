import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";

/** Staff may still ask what became of a code or link token on the day after. */
const KEPT_MS = 86_400_000;

/**
 * Deletes access tokens, codes and link tokens that expired over a day ago, and every expired sign-in at a provider. A token that was
 * deleted can revoke nothing any more. The code of an account without a grant stays: `revokeUnexchanged` knows the account by it.
 */
export async function dropExpiredTokens({ prisma }: Database, now: Instant): Promise<void> {
  const expiresAt = { lt: new Date(now - KEPT_MS) };
  await prisma.accessToken.deleteMany({ where: { expiresAt } });
  await prisma.linkToken.deleteMany({ where: { expiresAt } });
  await prisma.providerSignIn.deleteMany({ where: { expiresAt: { lt: new Date(now) } } });
  await prisma.code.deleteMany({ where: { expiresAt, account: { grants: { some: {} } } } });
}
