import { bool, command, oneOf, statement, text } from "@/server/db/statement";

interface RedirectingApplication {
  id: string;
  name: string;
  plan: "developer" | "standard";
  /** The redirect URI is one of its own. */
  registered: boolean;
}

export const applicationOfClient = statement<RedirectingApplication>(
  `SELECT a.id, a.name, a.plan, EXISTS (SELECT FROM redirect_uris r WHERE r.application_id = a.id AND r.uri = $2) AS registered
FROM applications a WHERE a.client_id = $1`,
  { id: text, name: text, plan: oneOf<RedirectingApplication["plan"]>(), registered: bool },
);

export const lockApplication = command("SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE");

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

export const connectProfile = command(
  `UPDATE profiles SET credential = $2, connection = connection + 1, name = $3, connected = true, disconnected_at = NULL, sync_due_at = $4, poll_due_at = NULL, cursor = NULL, sync_failures = 0, sync_error = NULL,
  sync_lease = NULL, sync_leased_until = NULL WHERE id = $1`,
);
