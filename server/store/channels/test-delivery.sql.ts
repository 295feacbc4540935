import { prepared } from "@/server/db/client";
import { bool, nullable, statement, text, texts, timestamp } from "@/server/db/statement";

export interface TestedChannel {
  id: string;
  accountId: string;
  applicationId: string;
  callbackUrl: string;
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
  now: Date;
}

/** $2: the account that it must belong to; null: any. */
export const testedChannel = statement<TestedChannel>(
  prepared(
    "tested channel",
    `SELECT c.id, c.account_id AS "accountId", a.application_id AS "applicationId", c.callback_url AS "callbackUrl",
CASE WHEN c.all_calendars THEN NULL ELSE c.calendar_ids END AS "calendarIds", c.only_managed AS "onlyManaged",
coalesce($3::timestamptz, clock_timestamp()) AS now
FROM channels c JOIN accounts a ON a.id = c.account_id
WHERE c.id = $1 AND c.account_id = coalesce($2, c.account_id) AND c.closed_at IS NULL AND NOT c.of_trigger`,
  ),
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

/**
 * No row: its channel has been closed. The channel is locked until then, so that no test is created on a channel that
 * is being closed. Has no `changes_since`, which joins changes and marks them as unannounced: it announces none.
 */
export const insertTestDelivery = statement<{ id: string }>(
  prepared(
    "insert test delivery",
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, created_at, next_attempt_at, test)
SELECT $1, c.id, c.account_id, $3, 'change', $4, $5, $6, $6, true FROM channels c WHERE c.id = $2 AND c.closed_at IS NULL FOR SHARE
RETURNING id`,
  ),
  { id: text },
);
