import { dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { revokeAccount } from "@/server/store/accounts/revoke-account";
import {
  dropAccountsOf,
  dropAlertMessagesOf,
  dropAlertRulesOf,
  dropAlertsOf,
  dropAlertTargetOf,
  dropDeliveriesOf,
} from "@/server/store/applications/erase.sql";

const ACCOUNTS_AT_ONCE = 100;

/**
 * Erases the applications that staff deleted: each account's access first, as a revocation ends it, then the deliveries and accounts in
 * batches, then the application. Its requests stay in the log until they expire. True: a piece of it, and there may be more.
 */
export async function eraseApplications(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean> {
  const deleted = await db.prisma.application.findMany({ select: { id: true }, where: { deletedAt: { not: null } } });
  for (const { id } of deleted) if (await erase(db, id, { now, goesOn })) return true;
  return false;
}

async function erase(db: Database, id: string, { now, goesOn }: { now: Instant; goesOn: GoesOn }): Promise<boolean> {
  const where = { applicationId: id, revokedAt: null };
  for (;;) {
    const living = await db.prisma.account.findMany({ select: { id: true }, where, take: ACCOUNTS_AT_ONCE });
    if (living.length === 0) break;
    for (const account of living) {
      await revokeAccount(db, account.id, now);
      if (!goesOn()) return true;
    }
  }
  const isLeft = await dropBatches({ query: db.query, goesOn }, [
    [dropDeliveriesOf, id],
    [dropAccountsOf, id],
    [dropAlertRulesOf, id],
    [dropAlertTargetOf, id],
    [dropAlertsOf, id],
    [dropAlertMessagesOf, id],
  ]);
  if (isLeft) return true;
  await db.prisma.application.deleteMany({ where: { id } });
  return false;
}
