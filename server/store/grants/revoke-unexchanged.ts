import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { CODE_LIFE_MS } from "@/server/domain/grants";
import { providerTraits } from "@/server/domain/providers";
import { log } from "@/server/log";
import { lockAccount } from "@/server/store/accounts/lock-account";
import { revokeWithin } from "@/server/store/accounts/revoke-account";
import { accountStillAwaited, timeStatement } from "@/server/store/grants/codes.sql";
import { openPending } from "@/server/store/grants/pending-account";
import type { ProviderAccount } from "@/server/store/profiles/connected-profile";
import { dropGrant } from "@/server/store/profiles/dropped-grants";

const KEPT_MS = 86_400_000;
/** Each is revoked in a transaction of its own; the next call goes on. */
const MOST_ACCOUNTS = 1_000;
const MOST_CODES = 1_000;

/**
 * Forgets what nobody came for: the credential in a code that has expired, and whole accounts a day after the last code for them
 * expired, when none was ever exchanged. An account that has been exchanged once keeps its grant, so one that was only connected again
 * stays. Judged by the database's clock.
 */
export async function revokeUnexchanged(db: Database): Promise<void> {
  const { now } = await runOne(db.query, timeStatement, [databaseTime()]);
  await forgetPending(db, now);
  const before = new Date(now.getTime() - KEPT_MS);
  const where = { codes: { some: { expiresAt: { lt: before } } }, grants: { none: {} } };
  for (const { id } of await db.prisma.account.findMany({ select: { id: true }, where, take: MOST_ACCOUNTS })) {
    await db.transaction((query) => revokeAbandoned(query, { id, before, now }));
  }
}

/** What a code alone knew of a calendar account is forgotten, and its grant is revoked, unless another code or profile has it. */
async function forgetPending(db: Database, now: Date): Promise<void> {
  const where = { pending: { not: null }, expiresAt: { lte: now } };
  for (const { hash, pending } of await db.prisma.code.findMany({
    where,
    select: { hash: true, pending: true },
    take: MOST_CODES,
  })) {
    const codeHash = Buffer.from(hash);
    const opened = openedOrNot(codeHash, pending ?? "");
    if (opened && providerTraits[opened.provider].signIn === "oauth")
      await dropGrant(db, { ...opened, afterMs: CODE_LIFE_MS });
    await db.prisma.code.update({ where: { hash: codeHash }, data: { pending: null } });
  }
}

/** What no key opens any more is forgotten all the same. */
function openedOrNot(codeHash: Buffer, pending: string): ProviderAccount | null {
  try {
    return openPending(codeHash, pending);
  } catch (error) {
    log({ module: "store" }).warn({ err: error }, "the calendar account in an expired code could not be opened");
    return null;
  }
}

/** The account is locked before it is read, so this waits for a user who connects at the same moment. */
async function revokeAbandoned(query: Query, { id, before, now }: { id: string; before: Date; now: Date }) {
  await lockAccount(query, id);
  const kept = await run(query, accountStillAwaited, [id, before]);
  if (kept.length === 0) await revokeWithin(query, id, now.getTime());
}
