import type { Database } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import type { AccountId } from "@/server/domain/ids";
import { Refusal } from "@/server/services/refusal";

const MAX_TOKEN_LENGTH = 500;

/** The account and application behind an access token: all that GET /v1/account answers, so that it costs no other statement. */
export interface Bearer {
  accountId: AccountId;
  kind: "account" | "application_calendar";
  email: string;
  name: string;
  scope: string;
  defaultTzid: string;
  applicationCalendarId: string | null;
  applicationId: string;
  compatibilityMode: boolean;
  plan: "developer" | "standard";
  /** Until when the occurrences of all its series are stored, in milliseconds; null when no series goes on. */
  coveredUntil: number | null;
}

export const bearerStatement = `SELECT a.id AS "accountId", a.kind, a.email, a.name, g.scope, a.default_tzid AS "defaultTzid",
  a.application_calendar_id AS "applicationCalendarId", p.id AS "applicationId",
  p.compatibility_mode AS "compatibilityMode", p.plan,
  (SELECT date_part('epoch', min(c.covered_until)) * 1000 FROM calendars c WHERE c.account_id = a.id) AS "coveredUntil"
FROM access_tokens t JOIN grants g ON g.id = t.grant_id JOIN accounts a ON a.id = g.account_id
JOIN applications p ON p.id = a.application_id
WHERE t.hash = $1 AND t.expires_at > $2 AND a.revoked_at IS NULL`;

/**
 * Whom the value of an Authorization header stands for ("Authentication", 3).
 * Throws `signed_out`: invalid_request when there is no bearer token in it, invalid_token when the token is unknown, expired or revoked.
 */
export async function authenticate(db: Database, authorization: string | null, now: number): Promise<Bearer> {
  const token = /^Bearer +([^\s,]+) *$/i.exec(authorization ?? "")?.[1];
  if (!token) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "The request has no access token" });
  }
  const rows =
    token.length > MAX_TOKEN_LENGTH ? [] : await db.query<Bearer>(bearerStatement, [digest(token), new Date(now)]);
  const [bearer] = rows;
  if (!bearer) {
    throw new Refusal({
      kind: "signed_out",
      error: "invalid_token",
      description: "The access token is unknown, expired or revoked",
    });
  }
  return bearer;
}
