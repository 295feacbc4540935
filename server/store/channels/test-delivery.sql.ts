import { bool, command, nullable, statement, text, texts, timestamp } from "@/server/db/statement";

export interface TestedChannel {
  id: string;
  accountId: string;
  applicationId: string;
  callbackUrl: string;
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
  now: Date;
}

/** $2: the account it must belong to; null: any. */
export const lockTestedChannel = statement<TestedChannel>(
  `SELECT c.id, c.account_id AS "accountId", a.application_id AS "applicationId", c.callback_url AS "callbackUrl",
CASE WHEN c.all_calendars THEN NULL ELSE c.calendar_ids END AS "calendarIds", c.only_managed AS "onlyManaged",
coalesce($3::timestamptz, clock_timestamp()) AS now
FROM channels c JOIN accounts a ON a.id = c.account_id
WHERE c.id = $1 AND c.account_id = coalesce($2, c.account_id) AND c.closed_at IS NULL FOR SHARE OF c`,
  {
    id: text,
    accountId: text,
    applicationId: text,
    callbackUrl: text,
    calendarIds: nullable(texts),
    onlyManaged: nullable(bool),
    now: timestamp,
  },
);

/** Without `changes_since`, by which changes are joined and noted as not announced: it announces none. */
export const insertTestDelivery =
  command(`INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, created_at, next_attempt_at, test)
VALUES ($1, $2, $3, $4, 'change', $5, $6, $7, $7, true)`);
