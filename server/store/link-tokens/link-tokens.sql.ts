import { statement, text } from "@/server/db/statement";

/** The account to which a link token adds a calendar account. */
export interface LinkedAccount {
  accountId: string;
  /** Its owner's name for it: an email address, or the name of an application calendar. */
  name: string;
}

export const accountOfLinkToken = statement<LinkedAccount>(
  `SELECT a.id AS "accountId", CASE a.kind WHEN 'account' THEN a.email ELSE a.name END AS name
FROM accounts a JOIN link_tokens t ON t.account_id = a.id
WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > $3 AND a.application_id = $2 AND a.revoked_at IS NULL`,
  { accountId: text, name: text },
);
