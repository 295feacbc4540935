import { prepared } from "@/server/db/client";
import { bool, float8, idOf, int4, nullable, oneOf, statement, text } from "@/server/db/statement";
import type { AccountId } from "@/server/domain/ids";

/**
 * The account and application behind an access token: everything that GET /v1/account returns, so that it needs no
 * other statement.
 */
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
  /** Whether its application is disabled: every request is refused. */
  isDisabled: boolean;
}

/** The bearer of a read of occurrences. */
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
/** Only reads load this in the look-up: it is cheaper than another statement, but more than other requests need. */
const reading = {
  selected: `, date_part('epoch', c.covered_until) * 1000 AS "coveredUntil", c.n AS "calendarCount"`,
  joined: `CROSS JOIN LATERAL (SELECT min(covered_until) AS covered_until, count(*)::int AS n FROM calendars WHERE account_id = a.id) c`,
};

const HASH_BYTES = 32;

/** Builds the statement for the token $1, and the one for the tokens whose concatenated hashes are $1. */
function lookUpOf(name: string, more: typeof reading = { selected: "", joined: "" }) {
  const tokenRow = (token: string, now: string) =>
    `SELECT ${selected}${more.selected} ${joined} ${more.joined} WHERE t.hash = ${token} AND t.expires_at > ${now} AND a.revoked_at IS NULL`;
  const inTurn = `substring($1::bytea FROM place * ${HASH_BYTES} + 1 FOR ${HASH_BYTES})`;
  // Without OFFSET a plan that was made while the tables were small could read whole tables. Values are hidden from the planner, which
  // would make a plan for each number of tokens.
  const many = `SELECT place, f.* FROM generate_series(0, (SELECT octet_length($1::bytea) / ${HASH_BYTES} - 1)) place
CROSS JOIN LATERAL (${tokenRow(inTurn, "(SELECT $2::timestamptz)")} OFFSET 0) f`;
  return { one: prepared(name, tokenRow("$1", "$2")), many: prepared(`${name}, of many`, many) };
}

const bearerTexts = lookUpOf("bearer of a token");
export const bearerStatement = statement<Bearer>(bearerTexts.one, columns);
export const bearersStatement = statement<Bearer & { place: number }>(bearerTexts.many, { ...columns, place: int4 });

const readerTexts = lookUpOf("reader of a token", reading);
const readerColumns = { ...columns, coveredUntil: nullable(float8), calendarCount: int4 };
export const readerStatement = statement<Reader>(readerTexts.one, readerColumns);
export const readersStatement = statement<Reader & { place: number }>(readerTexts.many, {
  ...readerColumns,
  place: int4,
});
