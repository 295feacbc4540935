import type { Query } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { digest, seal, unseal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { ACCESS_TOKEN_SECONDS, SCOPE } from "@/server/domain/grants";
import { insertAccessToken, insertGrant, newestReadablePair } from "@/server/store/grants/grants.sql";
import { newRotatingToken } from "@/server/store/grants/rotating-token";

export interface TokenPair {
  access: string;
  refresh: string;
}

interface NewGrant {
  accountId: string;
  /** In milliseconds since 1970. */
  now: number;
  /** Keeps the pair readable: compatibility mode returns the same one again until it expires. */
  readable?: boolean;
  /** Its refresh token will be replaced at each use. */
  rotates?: boolean;
}

/** Issues a new grant of an account with its first token pair. Tokens are stored as SHA-256. */
export async function issueGrant(
  query: Query,
  { accountId, now, readable, rotates }: NewGrant,
): Promise<TokenPair & { grantId: string }> {
  const grantId = newId("gra");
  const pair = { access: newToken("at"), refresh: rotates ? newRotatingToken(grantId) : newToken("rt") };
  const sealed = readable ? seal(JSON.stringify(pair), sealedPair(grantId)) : null;
  const grant = [grantId, accountId, digest(pair.refresh), SCOPE, sealed, new Date(now)];
  await run(query, insertGrant, [...grant, digest(pair.access), expiry(now)]);
  return { grantId, ...pair };
}

export interface Refresh {
  refreshToken: string;
  applicationId: string;
  /** In milliseconds since 1970. */
  now: number;
}

/** Issues a new access token for the grant of this application's refresh token. Null when there is none. */
export async function refreshGrant(
  query: Query,
  { refreshToken, applicationId, now }: Refresh,
): Promise<string | null> {
  const access = newToken("at");
  const values = [digest(refreshToken), applicationId, new Date(now), digest(access), expiry(now)];
  const [grant] = await run(query, insertAccessToken, values);
  return grant ? access : null;
}

/** Loads an account's newest readable pair that is valid for at least another second, with the seconds left. */
export async function readablePair(
  query: Query,
  accountId: string,
  now: number,
): Promise<(TokenPair & { seconds: number }) | null> {
  const [found] = await run(query, newestReadablePair, [accountId, new Date(now + 1000)]);
  if (!found?.sealed) return null;
  const pair: TokenPair = JSON.parse(unseal(found.sealed, sealedPair(found.grantId)));
  return { ...pair, seconds: Math.floor((found.expiresAt.getTime() - now) / 1000) };
}

function sealedPair(row: string) {
  return { table: "grants", column: "sealed_pair", row };
}

/** Returns when an access token of now expires. */
export function expiry(now: number): Date {
  return new Date(now + ACCESS_TOKEN_SECONDS * 1000);
}
