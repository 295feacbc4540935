import type { Connection, Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { Prisma } from "@/server/db/generated/client";
import { seal, unseal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import type { RefreshedToken } from "@/server/providers/access-token";
import { ProviderError } from "@/server/providers/connector";
import { beginToken, lockToken, noteRefusal, recentRefusal, usableToken } from "@/server/store/profiles/profiles.sql";

/** The connection of a profile that a credential belongs to: a newer connection has its own. */
export interface ProfileConnection {
  profileId: string;
  connection: number;
}

export interface TokenNeed extends ProfileConnection {
  /** A token that the provider has refused although it has not expired. */
  rejected: string | undefined;
  /** Contact the provider even if it has just refused. */
  confirms: boolean;
  /** Requests a new token for a credential, and the credential that replaces it. */
  refresh(credential: string, prisma: Prisma.TransactionClient): Promise<RefreshedToken>;
}

const TRIES_TO_STORE = 3;

/**
 * Returns an access token that is valid for at least a minute. Of all callers that need a new one, in any process, one
 * refreshes it and the others wait for the row; call it once at a time within a process. Null: the user has connected
 * again since, or the profile is gone. Throws `credentials_rejected` when the provider refuses to issue one, or has
 * just refused another caller.
 */
export async function providerToken(db: Database, need: TokenNeed): Promise<string | null> {
  const known = await usable(db.query, need);
  if (known !== null) return known;
  const values = [need.profileId, need.connection, databaseTime()];
  const [refused] = need.confirms ? [] : await run(db.query, recentRefusal, values);
  if (refused) throw refusal("refused_before");
  return await renewToken(db, need).catch(async (error) => {
    if (!(error instanceof ProviderError) || error.fault.kind !== "credentials_rejected") throw error;
    await run(db.query, noteRefusal, values);
    throw refusal(error.detail);
  });
}

function refusal(detail: string): ProviderError {
  return new ProviderError({ kind: "credentials_rejected", isRenewal: true }, detail);
}

async function renewToken(db: Database, need: TokenNeed): Promise<string | null> {
  let refreshed: Promise<RefreshedToken> | undefined;
  const once: TokenNeed["refresh"] = (...asked) => {
    refreshed ??= need.refresh(...asked);
    return refreshed;
  };
  if (!db.isServer) await refreshAhead(db.prisma, { ...need, refresh: once });
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction((query, prisma) => underLock({ query, prisma }, { ...need, refresh: once }));
    } catch (error) {
      // The provider may have revoked the old credential by now: the new one must not be lost with a connection.
      const isRefreshed = await refreshed?.then(
        () => true,
        () => false,
      );
      if (!isRefreshed || tries >= TRIES_TO_STORE) throw error;
    }
  }
}

async function underLock({ query, prisma }: Connection, need: TokenNeed): Promise<string | null> {
  const { profileId } = need;
  await takeToken(query, profileId);
  const known = await usable(query, need);
  if (known !== null) return known;
  const credential = await credentialOf(prisma, need);
  if (credential === null) return null;
  const fresh = await need.refresh(credential, prisma);
  if (fresh.credential !== credential && !(await storeCredential(prisma, need, fresh.credential))) return null;
  const sealed = seal(fresh.token.text, sealedToken(profileId));
  await setToken(prisma, profileId, { sealed, expiresAt: new Date(fresh.token.expiresAt) });
  return fresh.token.text;
}

/**
 * Refreshes the token ahead, outside of the transaction: the embedded database serves one transaction at a time and one
 * process, whose callers come one after another, so it is not held for so long.
 */
async function refreshAhead(prisma: Prisma.TransactionClient, need: TokenNeed): Promise<void> {
  const credential = await credentialOf(prisma, need);
  if (credential !== null) await need.refresh(credential, prisma);
}

async function credentialOf(
  prisma: Prisma.TransactionClient,
  { profileId: id, connection }: ProfileConnection,
): Promise<string | null> {
  const profile = await prisma.profile.findFirst({ select: { credential: true }, where: { id, connection } });
  return profile?.credential ? unseal(profile.credential, sealedCredential(id)) : null;
}

/** Locks the token. It is always locked before the profile's row: a refresh and a reconnection then never wait for each other. */
async function takeToken(query: Query, profileId: string): Promise<void> {
  await run(query, beginToken, [profileId]);
  await run(query, lockToken, [profileId]);
}

/** Deletes the token of the previous connection. Call it before the profile's row is changed. */
export async function dropProviderToken({ query, prisma }: Connection, profileId: string): Promise<void> {
  await takeToken(query, profileId);
  await setToken(prisma, profileId, { sealed: "", expiresAt: new Date(0) });
}

async function setToken(
  prisma: Prisma.TransactionClient,
  profileId: string,
  token: { sealed: string; expiresAt: Date },
): Promise<void> {
  await prisma.providerToken.updateMany({ where: { profileId }, data: { ...token, refusedAt: null } });
}

/**
 * Stores a credential that replaces its predecessor of the same connection. Returns false when the user has connected
 * again since.
 */
export async function storeCredential(
  prisma: Prisma.TransactionClient,
  { profileId: id, connection }: ProfileConnection,
  credential: string,
): Promise<boolean> {
  const sealed = seal(credential, sealedCredential(id));
  const { count } = await prisma.profile.updateMany({ where: { id, connection }, data: { credential: sealed } });
  return count > 0;
}

async function usable(query: Query, { profileId, connection, rejected }: TokenNeed): Promise<string | null> {
  const [row] = await run(query, usableToken, [profileId, connection, databaseTime()]);
  const token = row ? unseal(row.sealed, sealedToken(profileId)) : null;
  return token === rejected ? null : token;
}

export const sealedCredential = (row: string) => ({ table: "profiles", column: "credential", row });
const sealedToken = (row: string) => ({ table: "provider_tokens", column: "sealed", row });
