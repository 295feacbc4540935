import type { Database } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import { VISIT_MS, VISITORS_APPLICATION } from "@/server/domain/visitors";
import { revokeAccount } from "@/server/store/accounts/revoke-account";

/** Each is removed in a transaction of its own; the rest follow in the next hour. */
const MOST_ACCOUNTS = 1_000;

/**
 * Removes the calendars of visitors who tried calls from the documentation, with everything that they wrote. Judged by
 * the database's clock.
 */
export async function closeVisits(db: Database): Promise<void> {
  const { now } = await runOne(db.query, databaseNow);
  const where = {
    applicationId: VISITORS_APPLICATION,
    createdAt: { lt: new Date(now - VISIT_MS) },
    revokedAt: null,
  };
  for (const { id } of await db.prisma.account.findMany({ where, select: { id: true }, take: MOST_ACCOUNTS })) {
    await revokeAccount(db, id, now);
  }
}
