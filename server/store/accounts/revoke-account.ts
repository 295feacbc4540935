import type { Database, Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { connectable, providerTraits } from "@/server/domain/providers";
import {
  cancelDeliveriesOfAccount,
  closeChannelsOfAccount,
  deleteCalendars,
  deleteCodes,
  deleteEvents,
  deleteGrants,
  deleteLinkTokens,
  deleteOccurrences,
  deleteProfiles,
  deleteSignals,
  lockCalendarsOfAccount,
  markRevoked,
  queueRevocations,
} from "@/server/store/accounts/revoke.sql";

/** A password cannot be taken back at its provider. */
const revocable = connectable.filter((provider) => providerTraits[provider].signIn === "oauth");

/**
 * Ends an account's grant ("States": channel closed by revoke, application calendar deleted): deletes its tokens, provider credentials,
 * calendars and cached events, and closes its channels. The account's row stays for staff.
 */
export async function revokeAccount(db: Database, accountId: string, now: number): Promise<void> {
  await db.transaction((query) => revokeWithin(query, accountId, now));
}

/** As `revokeAccount`, in a transaction. False when the account had been revoked. */
export async function revokeWithin(query: Query, accountId: string, now: number): Promise<boolean> {
  const account = [accountId];
  const accountAndTime = [accountId, new Date(now)];
  const revoked = await run(query, markRevoked, accountAndTime);
  if (revoked.length === 0) return false;
  // First, as writes do: the other order would deadlock with a write.
  await run(query, lockCalendarsOfAccount, account);
  // Codes before grants: an exchange in progress is waited for, and its grant is seen.
  await run(query, deleteCodes, account);
  await run(query, deleteGrants, account);
  await run(query, deleteLinkTokens, account);
  await run(query, cancelDeliveriesOfAccount, accountAndTime);
  await run(query, closeChannelsOfAccount, accountAndTime);
  // Again, for those that were written before the channels were locked.
  await run(query, cancelDeliveriesOfAccount, accountAndTime);
  await run(query, deleteSignals, account);
  await run(query, queueRevocations, [...accountAndTime, revocable]);
  await run(query, deleteOccurrences, account);
  await run(query, deleteEvents, account);
  await run(query, deleteCalendars, account);
  await run(query, deleteProfiles, account);
  return true;
}
