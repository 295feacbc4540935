import { command, statement, text } from "@/server/db/statement";

export interface ProfileOfAccount {
  accountId: string;
  profileId: string;
}

export const lockAccountOfSubject = statement<ProfileOfAccount>(
  `SELECT a.id AS "accountId", p.id AS "profileId" FROM accounts a JOIN profiles p ON p.account_id = a.id
WHERE p.application_id = $1 AND p.provider = $2 AND p.subject = $3 AND a.revoked_at IS NULL FOR NO KEY UPDATE OF a`,
  { accountId: text, profileId: text },
);

/** Adds what was unknown of the owner of a calendar account when its account was created. */
export const completeAccount = command(
  `UPDATE accounts SET name = CASE WHEN name = email THEN $3 ELSE name END,
  default_tzid = CASE WHEN default_tzid = 'Etc/UTC' THEN coalesce($4, default_tzid) ELSE default_tzid END
WHERE id = $1 AND kind = 'account' AND email = $2`,
);
