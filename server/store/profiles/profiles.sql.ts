import { prepared } from "@/server/db/client";
import { command, statement, text } from "@/server/db/statement";

export const lockAccountOfProfile = command(
  "SELECT FROM accounts a JOIN profiles p ON p.account_id = a.id WHERE p.id = $1 FOR NO KEY UPDATE OF a",
);

export const markDisconnected = statement<{ accountId: string }>(
  `UPDATE profiles SET connected = false, disconnected_at = coalesce($2::timestamptz, clock_timestamp())
WHERE id = $1 AND connected RETURNING account_id AS "accountId"`,
  { accountId: text },
);

/** How long before its expiry a token is refreshed. */
const MARGIN_S = 60;

export const usableToken = statement<{ sealed: string }>(
  prepared(
    "usable token",
    `SELECT t.sealed FROM provider_tokens t JOIN profiles p ON p.id = t.profile_id WHERE p.id = $1 AND p.connection = $2
  AND t.expires_at > coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => ${MARGIN_S})`,
  ),
  { sealed: text },
);

export const beginToken = command(
  "INSERT INTO provider_tokens (profile_id, sealed, expires_at) SELECT id, '', to_timestamp(0) FROM profiles WHERE id = $1 ON CONFLICT DO NOTHING",
);

export const lockToken = command(
  prepared("lock token", "SELECT FROM provider_tokens WHERE profile_id = $1 FOR UPDATE"),
);

/** Less than the time after which a refusal is confirmed. */
const REFUSAL_S = 20;

export const recentRefusal = statement<{ id: string }>(
  `SELECT p.id FROM provider_tokens t JOIN profiles p ON p.id = t.profile_id WHERE p.id = $1 AND p.connection = $2
  AND t.refused_at > coalesce($3::timestamptz, clock_timestamp()) - make_interval(secs => ${REFUSAL_S})`,
  { id: text },
);

export const noteRefusal = command(
  `INSERT INTO provider_tokens AS t (profile_id, sealed, expires_at, refused_at)
SELECT id, '', to_timestamp(0), coalesce($3::timestamptz, clock_timestamp()) FROM profiles WHERE id = $1 AND connection = $2
ON CONFLICT (profile_id) DO UPDATE SET refused_at = excluded.refused_at`,
);
