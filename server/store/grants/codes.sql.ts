import { command, nullable, oneOf, statement, text, timestamp } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";

export interface TakenCode {
  accountId: string;
  codeChallenge: string | null;
  /** A calendar account that joins the account now: there is no profile yet. */
  pending: string | null;
  profileId: string | null;
  provider: Provider | null;
  profileName: string | null;
}

export const takeCodeStatement = statement<TakenCode>(
  `WITH c AS (UPDATE codes SET used_at = $4 WHERE hash = $1 AND application_id = $2 AND redirect_uri = $3
  AND used_at IS NULL AND expires_at > $4 RETURNING account_id, profile_id, code_challenge, pending)
SELECT c.account_id AS "accountId", c.code_challenge AS "codeChallenge", c.pending, c.profile_id AS "profileId", p.provider,
  p.name AS "profileName" FROM c LEFT JOIN profiles p ON p.id = c.profile_id`,
  {
    accountId: text,
    codeChallenge: nullable(text),
    pending: nullable(text),
    profileId: nullable(text),
    provider: nullable(oneOf<Provider>()),
    profileName: nullable(text),
  },
);

export const timeStatement = statement<{ now: Date }>("SELECT coalesce($1::timestamptz, clock_timestamp()) AS now", {
  now: timestamp,
});

export const accountStillAwaited = command(
  `SELECT FROM accounts a WHERE id = $1 AND (EXISTS (SELECT FROM grants g WHERE g.account_id = a.id)
  OR EXISTS (SELECT FROM codes c WHERE c.account_id = a.id AND c.expires_at >= $2))`,
);
