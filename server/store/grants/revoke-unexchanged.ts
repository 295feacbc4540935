import type { Connection, Database } from "@/server/db/client";
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
/** Each is revoked in a transaction of its own; the next call continues. */
const MOST_ACCOUNTS = 1_000;
const MOST_CODES = 1_000;

/**
 * Deletes what no application exchanged: the credential in a code that has expired, and whole accounts a day after the
 * last code for them expired, when none was ever exchanged. An account that has been exchanged once keeps its grant, so
 * one that was only reconnected stays. Judged by the database's clock.
 */
export async function revokeUnexchanged(db: Database): Promise<void> {
  const { now } = await runOne(db.query, timeStatement, [databaseTime()]);
  await forgetPending(db, now);
  const before = new Date(now.getTime() - KEPT_MS);
  const where = { codes: { some: { expiresAt: { lt: before } } }, grants: { none: {} } };
  for (const { id } of await db.prisma.account.findMany({ select: { id: true }, where, take: MOST_ACCOUNTS })) {
    await db.transaction((query, prisma) => revokeAbandoned({ query, prisma }, { id, before, now }));
  }
}

/**
 * Deletes calendar accounts that exist only in an expired code, and revokes their grants, unless another code or
 * profile has them.
 */
async function forgetPending(db: Database, now: Date): Promise<void> {
  const where = { pending: { not: null }, expiresAt: { lte: now } };
  for (const { hash, pending } of await db.prisma.code.findMany({
    where,
    select: { hash: true, pending: true },
    take: MOST_CODES,
  })) {
    const codeHash = Buffer.from(hash);
    const opened = tryToOpen(codeHash, pending ?? "");
    if (opened && providerTraits[opened.provider].signIn === "oauth")
      await dropGrant(db, { ...opened, afterMs: CODE_LIFE_MS });
    await db.prisma.code.update({ where: { hash: codeHash }, data: { pending: null } });
  }
}

/** Opens a pending account. Returns null when no key opens it any more; it is deleted all the same. */
function tryToOpen(codeHash: Buffer, pending: string): ProviderAccount | null {
  try {
    return openPending(codeHash, pending);
  } catch (error) {
    log({ module: "store" }).warn({ err: error }, "the calendar account in an expired code could not be opened");
    return null;
  }
}

/**
 * Revokes an account without an exchanged code. Locks the account before reading it, so this waits for a user who
 * connects at the same moment.
 */
async function revokeAbandoned(connection: Connection, { id, before, now }: { id: string; before: Date; now: Date }) {
  await lockAccount(connection.query, id);
  const kept = await run(connection.query, accountStillAwaited, [id, before]);
  if (kept.length === 0) await revokeWithin(connection, id, now.getTime());
}
