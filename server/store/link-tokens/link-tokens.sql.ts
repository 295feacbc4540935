import { command, statement, text } from "@/server/db/statement";

export const insertLinkToken = command(
  "INSERT INTO link_tokens (hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
);

/** The account that a link token adds a calendar account to. */
export interface LinkedAccount {
  accountId: string;
  /** What its owner knows it by: an email address, or the name of an application calendar. */
  name: string;
}

export const accountOfLinkToken = statement<LinkedAccount>(
  `SELECT a.id AS "accountId", CASE a.kind WHEN 'account' THEN a.email ELSE a.name END AS name
FROM accounts a JOIN link_tokens t ON t.account_id = a.id
WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > $3 AND a.application_id = $2 AND a.revoked_at IS NULL`,
  { accountId: text, name: text },
);

export const markLinkTokenUsed = statement<{ accountId: string }>(
  `UPDATE link_tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL RETURNING account_id AS "accountId"`,
  { accountId: text },
);
