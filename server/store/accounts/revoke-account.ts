import type { Connection, Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { connectable, providerTraits } from "@/server/domain/providers";
import {
  cancelDeliveriesOfAccount,
  deleteChanges,
  deleteEvents,
  deleteOccurrences,
  lockCalendarsOfAccount,
  queueRevocations,
} from "@/server/store/accounts/accounts.sql";

/** Providers where access can be revoked: a password cannot be. */
const revocable = connectable.filter((provider) => providerTraits[provider].signIn === "oauth");

/**
 * Ends an account's grant ("States": channel closed by revoke, application calendar deleted): deletes its tokens,
 * provider credentials, calendars and cached events, and closes its channels. Keeps the account's row for staff.
 */
export async function revokeAccount(db: Database, accountId: string, now: number): Promise<void> {
  await db.transaction((query, prisma) => revokeWithin({ query, prisma }, accountId, now));
}

/** Revokes an account like `revokeAccount`, in a transaction. Returns false when it had been revoked. */
export async function revokeWithin({ query, prisma }: Connection, accountId: string, now: number): Promise<boolean> {
  const at = new Date(now);
  const ofAccount = { where: { accountId } };
  const revoked = await prisma.account.updateMany({
    where: { id: accountId, revokedAt: null },
    data: { revokedAt: at },
  });
  if (revoked.count === 0) return false;
  // First, like writes: the other order would deadlock with a write.
  await run(query, lockCalendarsOfAccount, [accountId]);
  // Codes before grants: an exchange in progress is waited for, and its grant is seen.
  await prisma.code.deleteMany(ofAccount);
  await prisma.grant.deleteMany(ofAccount);
  await prisma.linkToken.deleteMany(ofAccount);
  await run(query, cancelDeliveriesOfAccount, [accountId, at]);
  await prisma.channel.updateMany({ where: { accountId, closedAt: null }, data: { closedAt: at, closedBy: "revoke" } });
  // Again, for those that were written before the channels were locked.
  await run(query, cancelDeliveriesOfAccount, [accountId, at]);
  await prisma.trigger.deleteMany(ofAccount);
  await prisma.outbox.deleteMany(ofAccount);
  await run(query, queueRevocations, [accountId, at, revocable]);
  await run(query, deleteOccurrences, [accountId]);
  await run(query, deleteEvents, [accountId]);
  await run(query, deleteChanges, [accountId]);
  await prisma.calendar.deleteMany(ofAccount);
  await prisma.profile.deleteMany(ofAccount);
  return true;
}
