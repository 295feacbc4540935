import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { seal, unseal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import type { RefreshedToken } from "@/server/providers/access-token";
import { ProviderError } from "@/server/providers/connector";
import {
  beginToken,
  credentialOfConnection,
  forgetToken,
  lockToken,
  noteRefusal,
  recentRefusal,
  replaceCredential,
  storeToken,
  usableToken,
} from "@/server/store/profiles/profiles.sql";

/** Which connection of a profile a credential belongs to: a newer one has its own. */
export interface ProfileConnection {
  profileId: string;
  connection: number;
}

export interface TokenNeed extends ProfileConnection {
  /** A token that the provider has refused although it has not expired. */
  rejected: string | undefined;
  /** The provider is asked even if it has just refused. */
  confirms: boolean;
  /** Gives a new token for a credential, and the credential that replaces it. */
  refresh(credential: string): Promise<RefreshedToken>;
}

const TRIES_TO_STORE = 3;

/**
 * An access token that is good for at least a minute. Of all who need a new one, in any process, one refreshes it and the others wait
 * for the row; within a process call it once at a time. Null: the user has connected again since, or the profile is gone. Throws
 * `credentials_rejected` when the provider refuses to issue one, or has just refused it to another.
 */
export async function providerToken(db: Database, need: TokenNeed): Promise<string | null> {
  const known = await usable(db.query, need);
  if (known !== null) return known;
  const values = [need.profileId, need.connection, databaseTime()];
  const [refused] = need.confirms ? [] : await run(db.query, recentRefusal, values);
  if (refused) throw refusal("refused_before");
  return await renewed(db, need).catch(async (error) => {
    if (!(error instanceof ProviderError) || error.fault.kind !== "credentials_rejected") throw error;
    await run(db.query, noteRefusal, values);
    throw refusal(error.detail);
  });
}

function refusal(detail: string): ProviderError {
  return new ProviderError({ kind: "credentials_rejected", isRenewal: true }, detail);
}

async function renewed(db: Database, need: TokenNeed): Promise<string | null> {
  let refreshed: Promise<RefreshedToken> | undefined;
  const once = (credential: string) => {
    refreshed ??= need.refresh(credential);
    return refreshed;
  };
  if (!db.isServer) await refreshAhead(db.query, { ...need, refresh: once });
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction((query) => underLock(query, { ...need, refresh: once }));
    } catch (error) {
      // The provider may have taken back the old credential by now: the new one must not be lost with a connection.
      const isRefreshed = await refreshed?.then(
        () => true,
        () => false,
      );
      if (!isRefreshed || tries >= TRIES_TO_STORE) throw error;
    }
  }
}

async function underLock(query: Query, need: TokenNeed): Promise<string | null> {
  const { profileId } = need;
  await takeToken(query, profileId);
  const known = await usable(query, need);
  if (known !== null) return known;
  const credential = await credentialOf(query, need);
  if (credential === null) return null;
  const fresh = await need.refresh(credential);
  if (fresh.credential !== credential && !(await storeCredential(query, need, fresh.credential))) return null;
  await run(query, storeToken, [
    profileId,
    seal(fresh.token.text, sealedToken(profileId)),
    new Date(fresh.token.expiresAt),
  ]);
  return fresh.token.text;
}

/** The embedded database serves one transaction at a time, and one process, whose needs come one after another: it is not held for so long. */
async function refreshAhead(query: Query, need: TokenNeed): Promise<void> {
  const credential = await credentialOf(query, need);
  if (credential !== null) await need.refresh(credential);
}

async function credentialOf(query: Query, { profileId, connection }: ProfileConnection): Promise<string | null> {
  const [profile] = await run(query, credentialOfConnection, [profileId, connection]);
  return profile?.credential ? unseal(profile.credential, sealedCredential(profileId)) : null;
}

/** Always locked before the profile's row: a refresh and a reconnection then never wait for each other. */
async function takeToken(query: Query, profileId: string): Promise<void> {
  await run(query, beginToken, [profileId]);
  await run(query, lockToken, [profileId]);
}

/** Forgets the token of the connection before. Call it before the profile's row is changed. */
export async function dropProviderToken(query: Query, profileId: string): Promise<void> {
  await takeToken(query, profileId);
  await run(query, forgetToken, [profileId]);
}

/** Stores a credential that replaces its predecessor of the same connection. False: the user has connected again since. */
export async function storeCredential(
  query: Query,
  { profileId, connection }: ProfileConnection,
  credential: string,
): Promise<boolean> {
  const sealed = seal(credential, sealedCredential(profileId));
  const rows = await run(query, replaceCredential, [profileId, connection, sealed]);
  return rows.length > 0;
}

async function usable(query: Query, { profileId, connection, rejected }: TokenNeed): Promise<string | null> {
  const [row] = await run(query, usableToken, [profileId, connection, databaseTime()]);
  const token = row ? unseal(row.sealed, sealedToken(profileId)) : null;
  return token === rejected ? null : token;
}

export const sealedCredential = (row: string) => ({ table: "profiles", column: "credential", row });
const sealedToken = (row: string) => ({ table: "provider_tokens", column: "sealed", row });
