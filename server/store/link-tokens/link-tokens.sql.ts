import { nullable, oneOf, statement, text, textOf } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import type { Provider } from "@/server/domain/providers";

export interface LinkTokenRow {
  accountId: string;
  /** Its owner's name for it: an email address, or the name of an application calendar. */
  name: string;
  /** Of a reconnect link; null, like the rest of the profile: the token adds a calendar account. */
  profileId: string | null;
  provider: Provider | null;
  subject: string | null;
  profileName: string | null;
  access: Access | null;
}

export const accountOfLinkToken = statement<LinkTokenRow>(
  `SELECT a.id AS "accountId", CASE a.kind WHEN 'account' THEN a.email ELSE a.name END AS name,
  p.id AS "profileId", p.provider, p.subject, p.name AS "profileName", p.access
FROM accounts a JOIN link_tokens t ON t.account_id = a.id LEFT JOIN profiles p ON p.id = t.profile_id
WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > $3 AND a.application_id = $2 AND a.revoked_at IS NULL
  AND (t.profile_id IS NULL OR p.id IS NOT NULL)`,
  {
    accountId: text,
    name: text,
    profileId: nullable(text),
    provider: nullable(oneOf<Provider>()),
    subject: nullable(text),
    profileName: nullable(text),
    access: nullable(textOf<Access>()),
  },
);
