import type { Query } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { digest, seal } from "@/server/db/sealed";

/** "Access token lifetime: 10800 seconds" ("Limits"). */
export const ACCESS_TOKEN_SECONDS = 10_800;
export const SCOPE = "read_write";

/** The fields that every token response has ("Token response"). */
export interface TokenResponse {
  token_type: "bearer";
  access_token: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export function tokenResponse(
  access_token: string,
  refresh_token: string,
  expires_in = ACCESS_TOKEN_SECONDS,
): TokenResponse {
  return { token_type: "bearer", access_token, expires_in, refresh_token, scope: SCOPE };
}

interface NewGrant {
  accountId: string;
  now: number;
  /** Keep the pair readable: compatibility mode gives the same one again while it lasts. */
  readable?: boolean;
}

/** A new grant of an account with its first token pair. Tokens are stored as SHA-256 only. */
export async function issueGrant(query: Query, { accountId, now, readable }: NewGrant) {
  const id = newId("gra");
  const access = newToken("at");
  const refresh = newToken("rt");
  const sealed = readable ? seal(JSON.stringify({ access, refresh }), pairPlace(id)) : null;
  await query(
    `WITH g AS (INSERT INTO grants (id, account_id, refresh_hash, scope, sealed_pair, created_at)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING id)
INSERT INTO access_tokens (hash, grant_id, created_at, expires_at) SELECT $7, id, $6, $8 FROM g`,
    [id, accountId, digest(refresh), SCOPE, sealed, new Date(now), digest(access), expiry(now)],
  );
  return { grantId: id, response: tokenResponse(access, refresh) };
}

/** A new access token of the grant that a refresh token of this application stands for; null when there is none. Expired ones of the grant go. */
export async function refreshGrant(query: Query, given: { refreshToken: string; applicationId: string; now: number }) {
  const access = newToken("at");
  const [grant] = await query<{ id: string }>(
    `WITH g AS (SELECT g.id FROM grants g JOIN accounts a ON a.id = g.account_id
  WHERE g.refresh_hash = $1 AND a.application_id = $2 AND a.revoked_at IS NULL FOR UPDATE OF g),
old AS (DELETE FROM access_tokens t USING g WHERE t.grant_id = g.id AND t.expires_at <= $3),
used AS (UPDATE grants SET last_used_at = $3 FROM g WHERE grants.id = g.id)
INSERT INTO access_tokens (hash, grant_id, created_at, expires_at) SELECT $4, id, $3, $5 FROM g RETURNING grant_id AS id`,
    [digest(given.refreshToken), given.applicationId, new Date(given.now), digest(access), expiry(given.now)],
  );
  return grant ? tokenResponse(access, given.refreshToken) : null;
}

export function pairPlace(grantId: string) {
  return { table: "grants", column: "sealed_pair", row: grantId };
}

function expiry(now: number): Date {
  return new Date(now + ACCESS_TOKEN_SECONDS * 1000);
}
