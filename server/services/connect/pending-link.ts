import type { Connection } from "@/server/db/client";
import { lockAccount } from "@/server/store/accounts/lock-account";
import { noteProfileOfCode, pendingAccount, type SentCode } from "@/server/store/grants/codes";
import { openPending } from "@/server/store/grants/pending-account";
import {
  findProfile,
  type ProviderAccount,
  storeProfile,
  takeApplication,
} from "@/server/store/profiles/connected-profile";
import type { ProfileOfAccount } from "@/server/store/profiles/connected-profile.sql";

/**
 * Locks the application and account of a pending calendar account before its code is taken, in the order of all
 * connects and revocations. Does nothing for any other code.
 */
export async function lockPendingAccount({ query, prisma }: Connection, code: SentCode): Promise<void> {
  const accountId = await pendingAccount(prisma, code);
  if (accountId === undefined) return;
  await takeApplication(query, code.applicationId);
  await lockAccount(query, accountId);
}

export interface JoinInput {
  applicationId: string;
  /** The account that the link token belongs to. */
  accountId: string;
  codeHash: Buffer<ArrayBuffer>;
  /** The pending account from `sealPending`. */
  pending: string;
  /** In milliseconds since 1970. */
  now: number;
}

export interface JoinedProfile extends ProfileOfAccount {
  provider: ProviderAccount["provider"];
  name: string;
}

/** Joins the pending calendar account to its account. Returns null when it belongs to another account of the application by now. */
export async function joinPending(connection: Connection, input: JoinInput): Promise<JoinedProfile | null> {
  const { applicationId, accountId, codeHash, pending, now } = input;
  const joining = openPending(codeHash, pending);
  const { provider, account } = joining;
  const known = await findProfile(connection.query, { applicationId, provider, subject: account.subject });
  if (known && known.accountId !== accountId) return null;
  const profile = await storeProfile(connection, { ...joining, applicationId, known, accountId, now });
  await noteProfileOfCode(connection.prisma, codeHash, profile.profileId);
  return { ...profile, provider, name: account.name };
}
