import type { Database } from "@/server/db/client";
import { lockAccount } from "@/server/store/accounts/lock-account";
import { revokeWithin } from "@/server/store/accounts/revoke-account";

/**
 * Ends one grant of an account with its tokens. The last one takes the account with it, as a revocation does: nobody
 * could read it any more.
 */
export async function endGrant(db: Database, grantId: string, now: number): Promise<void> {
  const grant = await db.prisma.grant.findUnique({ select: { accountId: true }, where: { id: grantId } });
  if (!grant) return;
  const { accountId } = grant;
  await db.transaction(async (query, prisma) => {
    await lockAccount(query, accountId);
    const others = await prisma.grant.count({ where: { accountId, id: { not: grantId } } });
    if (others === 0) await revokeWithin({ query, prisma }, accountId, now);
    else await prisma.grant.deleteMany({ where: { id: grantId } });
  });
}
