import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { lockAccount } from "@/server/store/accounts/lock-account";
import { revokeWithin } from "@/server/store/accounts/revoke-account";
import { accountStillAwaited, accountsNeverExchanged, timeStatement } from "@/server/store/grants/codes.sql";

const KEPT_MS = 86_400_000;

/**
 * Forgets what nobody came for: the credential in a code that has expired, and whole accounts a day after the last code for them
 * expired, when none was ever exchanged. An account that has been exchanged once keeps its grant, so one that was only connected again
 * stays. Judged by the database's clock.
 */
export async function revokeUnexchanged(db: Database): Promise<void> {
  const { now } = await runOne(db.query, timeStatement, [databaseTime()]);
  await db.prisma.code.updateMany({
    where: { pending: { not: null }, expiresAt: { lte: now } },
    data: { pending: null },
  });
  const before = new Date(now.getTime() - KEPT_MS);
  for (const { id } of await run(db.query, accountsNeverExchanged, [before])) {
    await db.transaction((query) => revokeAbandoned(query, { id, before, now }));
  }
}

/** The account is locked first, and looked at then: whoever connects at this moment is waited for. */
async function revokeAbandoned(query: Query, { id, before, now }: { id: string; before: Date; now: Date }) {
  await lockAccount(query, id);
  const kept = await run(query, accountStillAwaited, [id, before]);
  if (kept.length === 0) await revokeWithin(query, id, now.getTime());
}
