import { bool, command, nullable, statement, text, textOf } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";

export interface ProfileOfAccount {
  accountId: string;
  profileId: string;
}

export interface KnownProfile extends ProfileOfAccount {
  access: Access;
  foreignEdits: boolean;
  /** The organization's access that opens it. */
  delegationId: string | null;
  /** The application's own client that it was connected by. */
  ownClient: string | null;
}

export const lockAccountOfSubject = statement<KnownProfile>(
  `SELECT a.id AS "accountId", p.id AS "profileId", p.access, p.foreign_edits AS "foreignEdits", p.delegation_id AS "delegationId", p.oauth_client_id AS "ownClient"
FROM accounts a JOIN profiles p ON p.account_id = a.id
WHERE p.application_id = $1 AND p.provider = $2 AND p.subject = $3 AND a.revoked_at IS NULL FOR NO KEY UPDATE OF a`,
  {
    ...{ accountId: text, profileId: text, access: textOf<Access>(), foreignEdits: bool },
    ...{ delegationId: nullable(text), ownClient: nullable(text) },
  },
);

/** Adds what was unknown of the owner of a calendar account when its account was created. */
export const completeAccount = command(
  `UPDATE accounts SET name = CASE WHEN name = email THEN $3 ELSE name END,
  default_tzid = CASE WHEN default_tzid = 'Etc/UTC' THEN coalesce($4, default_tzid) ELSE default_tzid END
WHERE id = $1 AND kind = 'account' AND email = $2`,
);
