import type { Database, Query } from "@/server/db/client";
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
 * Before a code with a pending calendar account is taken: locks its application and account, in the order of everybody who connects
 * and revokes. Does nothing for any other code.
 */
export async function lockPendingAccount(query: Query, code: SentCode): Promise<void> {
  const accountId = await pendingAccount(query, code);
  if (accountId === undefined) return;
  await takeApplication(query, code.applicationId);
  await lockAccount(query, accountId);
}

export interface JoinInput {
  applicationId: string;
  /** Whose link token it was. */
  accountId: string;
  codeHash: Buffer;
  /** As `sealPending` gave it. */
  pending: string;
  /** Milliseconds since 1970. */
  now: number;
}

export interface JoinedProfile extends ProfileOfAccount {
  provider: ProviderAccount["provider"];
  name: string;
}

/** Joins the pending calendar account to its account; null when it belongs to another account of the application by now. */
export async function joinPending(db: Database, query: Query, input: JoinInput): Promise<JoinedProfile | null> {
  const { applicationId, accountId, codeHash, pending, now } = input;
  const joining = openPending(codeHash, pending);
  const { provider, account } = joining;
  const known = await findProfile(query, { applicationId, provider, subject: account.subject });
  if (known && known.accountId !== accountId) return null;
  const profile = await storeProfile(db, query, { ...joining, applicationId, known, accountId, now });
  await noteProfileOfCode(query, codeHash, profile.profileId);
  return { ...profile, provider, name: account.name };
}
