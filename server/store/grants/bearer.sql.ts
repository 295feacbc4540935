import { prepared } from "@/server/db/client";
import { bool, float8, idOf, int4, nullable, oneOf, statement, text } from "@/server/db/statement";
import type { AccountId } from "@/server/domain/ids";

/** The account and application behind an access token: all that GET /v1/account returns, so that it costs no other statement. */
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
  /** Its application is disabled: every request is refused. */
  isDisabled: boolean;
}

/** The same for a read of occurrences. */
export interface Reader extends Bearer {
  /** Until when the occurrences of all its series are stored, in milliseconds. Null when no series goes on. */
  coveredUntil: number | null;
  calendarCount: number;
}

const columns = {
  accountId: idOf<AccountId>(),
  kind: oneOf<Bearer["kind"]>(),
  email: text,
  name: text,
  scope: text,
  defaultTzid: text,
  applicationCalendarId: nullable(text),
  applicationId: text,
  compatibilityMode: bool,
  plan: oneOf<Bearer["plan"]>(),
  isDisabled: bool,
};
const selected = `a.id AS "accountId", a.kind, a.email, a.name, g.scope, a.default_tzid AS "defaultTzid",
  a.application_calendar_id AS "applicationCalendarId", p.id AS "applicationId", p.compatibility_mode AS "compatibilityMode", p.plan,
  p.disabled_at IS NOT NULL AS "isDisabled"`;
const joined = `FROM access_tokens t JOIN grants g ON g.id = t.grant_id JOIN accounts a ON a.id = g.account_id
JOIN applications p ON p.id = a.application_id`;
const living = `WHERE t.hash = $1 AND t.expires_at > $2 AND a.revoked_at IS NULL`;

export const bearerOfToken = statement<Bearer>(
  prepared("bearer of a token", `SELECT ${selected} ${joined} ${living}`),
  columns,
);

/** Reads have it from the look-up, which is cheaper than another statement, and dearer than what other requests need. */
export const readerOfToken = statement<Reader>(
  prepared(
    "reader of a token",
    `SELECT ${selected}, date_part('epoch', c.covered_until) * 1000 AS "coveredUntil", c.n AS "calendarCount"
${joined} CROSS JOIN LATERAL (SELECT min(covered_until) AS covered_until, count(*)::int AS n FROM calendars WHERE account_id = a.id) c
${living}`,
  ),
  { ...columns, coveredUntil: nullable(float8), calendarCount: int4 },
);
