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

export const insertProfile = command(
  `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export const insertAccount = command(
  `INSERT INTO accounts (id, application_id, kind, name, email, default_tzid, created_at)
VALUES ($1, $2, 'account', $3, $4, $5, $6)`,
);

/** What was not known of the owner of a calendar account when its account was created. */
export const completeAccount = command(
  `UPDATE accounts SET name = CASE WHEN name = email THEN $3 ELSE name END,
  default_tzid = CASE WHEN default_tzid = 'Etc/UTC' THEN coalesce($4, default_tzid) ELSE default_tzid END
WHERE id = $1 AND kind = 'account' AND email = $2`,
);

export const connectProfile = command(
  `UPDATE profiles SET credential = $2, connection = connection + 1, name = $3, connected = true, disconnected_at = NULL WHERE id = $1`,
);

export const beginSyncs = command(
  `UPDATE profile_syncs SET sync_due_at = $2, poll_due_at = NULL, sync_token = NULL, sync_failures = 0, sync_error = NULL,
  sync_lease = NULL, sync_leased_until = NULL WHERE profile_id = $1`,
);
