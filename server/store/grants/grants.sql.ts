import { command, nullable, statement, text, timestamp } from "@/server/db/statement";

export const insertGrant = command(
  `WITH g AS (INSERT INTO grants (id, account_id, refresh_hash, scope, sealed_pair, created_at)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING id)
INSERT INTO access_tokens (hash, grant_id, created_at, expires_at) SELECT $7, id, $6, $8 FROM g`,
);

/** Also deletes expired access tokens of the grant. */
export const insertAccessToken = statement<{ grantId: string }>(
  `WITH g AS (SELECT g.id FROM grants g JOIN accounts a ON a.id = g.account_id
  WHERE g.refresh_hash = $1 AND a.application_id = $2 AND a.revoked_at IS NULL FOR UPDATE OF g),
old AS (DELETE FROM access_tokens t USING g WHERE t.grant_id = g.id AND t.expires_at <= $3),
used AS (UPDATE grants SET last_used_at = $3 FROM g WHERE grants.id = g.id)
INSERT INTO access_tokens (hash, grant_id, created_at, expires_at) SELECT $4, id, $3, $5 FROM g RETURNING grant_id AS "grantId"`,
  { grantId: text },
);

/** The grant of a refresh token, or the named one. */
export const lockGrant = statement<{ id: string }>(
  `SELECT g.id FROM grants g JOIN accounts a ON a.id = g.account_id
WHERE (g.refresh_hash = $1 OR g.id = $2) AND a.application_id = $3 AND a.revoked_at IS NULL FOR UPDATE OF g`,
  { id: text },
);

/** Also deletes expired access tokens of the grant. */
export const addAccessToken = command(
  `WITH old AS (DELETE FROM access_tokens t WHERE t.grant_id = $1 AND t.expires_at <= $2)
INSERT INTO access_tokens (hash, grant_id, created_at, expires_at) VALUES ($3, $1, $2, $4)`,
);

export const newestReadablePair = statement<{ grantId: string; sealed: string | null; expiresAt: Date }>(
  `SELECT g.id AS "grantId", g.sealed_pair AS sealed, t.expires_at AS "expiresAt"
FROM grants g JOIN access_tokens t ON t.grant_id = g.id AND t.created_at = g.created_at
WHERE g.account_id = $1 AND g.sealed_pair IS NOT NULL AND t.expires_at >= $2 ORDER BY t.expires_at DESC LIMIT 1`,
  { grantId: text, sealed: nullable(text), expiresAt: timestamp },
);
