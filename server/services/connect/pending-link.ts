import type { Database, Query } from "@/server/db/client";
import { seal, unseal } from "@/server/db/sealed";
import {
  findProfile,
  type ProfileOfAccount,
  type ProviderAccount,
  storeProfile,
  takeApplication,
} from "@/server/services/connect/connected-profile";

/** What a code holds of a calendar account that has not joined its account yet. */
export function sealPending(codeHash: Buffer, { provider, account, calendars }: ProviderAccount): string {
  const pending: ProviderAccount = { provider, account, calendars };
  return seal(JSON.stringify(pending), placeOf(codeHash));
}

export interface PendingCode {
  /** SHA-256 of the code. */
  hash: Buffer;
  applicationId: string;
  redirectUri: string;
}

/**
 * Before a code that something is pending on is taken: its application and account, in the order of everybody who connects and
 * revokes. Does nothing for any other code.
 */
export async function takePendingAccount(query: Query, { hash, applicationId, redirectUri }: PendingCode) {
  const [found] = await query<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM codes WHERE hash = $1 AND application_id = $2 AND redirect_uri = $3
  AND pending IS NOT NULL AND used_at IS NULL`,
    [hash, applicationId, redirectUri],
  );
  if (!found) return;
  await takeApplication(query, applicationId);
  await query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [found.accountId]);
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
  const joining: ProviderAccount = JSON.parse(unseal(pending, placeOf(codeHash)));
  const { provider, account } = joining;
  const known = await findProfile(query, { applicationId, provider, subject: account.subject });
  if (known && known.accountId !== accountId) return null;
  const profile = await storeProfile(db, query, { ...joining, applicationId, known, accountId, now });
  await query("UPDATE codes SET pending = NULL, profile_id = $2 WHERE hash = $1", [codeHash, profile.profileId]);
  return { ...profile, provider, name: account.name };
}

function placeOf(codeHash: Buffer) {
  return { table: "codes", column: "pending", row: codeHash.toString("hex") };
}
