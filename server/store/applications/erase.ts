import { dropAll, dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { runOne } from "@/server/db/statement";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import { revokeAccount } from "@/server/store/accounts/revoke-account";
import {
  dropAccountsOf,
  dropAlertMessagesOf,
  dropAlertRulesOf,
  dropAlertsOf,
  dropAlertTargetOf,
  dropDeliveriesOf,
} from "@/server/store/applications/erase.sql";
import { daysBetween } from "@/server/store/deliveries/days";

const ACCOUNTS_AT_ONCE = 100;
const MICROS_IN_MS = 1_000;

/**
 * Erases the applications that staff deleted: first each account's access, as a revocation ends it, then the deliveries
 * and accounts in batches, then the application. Its requests stay in the log until they expire. Returns true after a
 * piece, when there may be more.
 */
export async function eraseApplications(db: Database, now: Instant, goesOn: GoesOn): Promise<boolean> {
  const deleted = await db.prisma.application.findMany({ select: { id: true }, where: { deletedAt: { not: null } } });
  for (const { id } of deleted) if (await eraseApplication(db, id, { now, goesOn })) return true;
  return false;
}

async function eraseApplication(
  db: Database,
  id: string,
  { now, goesOn }: { now: Instant; goesOn: GoesOn },
): Promise<boolean> {
  const where = { applicationId: id, revokedAt: null };
  for (;;) {
    const living = await db.prisma.account.findMany({ select: { id: true }, where, take: ACCOUNTS_AT_ONCE });
    if (living.length === 0) break;
    for (const account of living) {
      await revokeAccount(db, account.id, now);
      if (!goesOn()) return true;
    }
  }
  if (await dropDeliveries(db, id, goesOn)) return true;
  const isLeft = await dropBatches({ query: db.query, goesOn }, [
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

/**
 * Drops an application's deliveries day by day, the oldest first: a batch across days would be searched for in the
 * partitions of all. Returns the same as `dropBatches`.
 */
async function dropDeliveries({ prisma, query }: Database, applicationId: string, goesOn: GoesOn): Promise<boolean> {
  for (let from = new Date(0); ; ) {
    const where = { applicationId, createdAt: { gte: from } };
    const select = { createdAt: true };
    const oldest = await prisma.delivery.findFirst({ select, where, orderBy: { createdAt: "asc" } });
    if (!oldest) return false;
    const day = dayOf(oldest.createdAt.getTime() as Instant);
    const ends = utcMidnight((day + 1) as Day);
    const days = daysBetween(utcMidnight(day) * MICROS_IN_MS, ends * MICROS_IN_MS);
    const dropSome = (most: number) =>
      runOne(query, dropDeliveriesOf, [applicationId, most, days.from, days.before, days.attemptedFrom]);
    if (await dropAll(dropSome, goesOn)) return true;
    from = new Date(ends);
  }
}
