import { int4, nullable, statement, text, timestamp } from "@/server/db/statement";
import { givenTimes, isOfChannel } from "@/server/services/staff/channels/attempts.sql";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";

export interface FailingChannel {
  id: string;
  callbackUrl: string;
  applicationId: string;
  applicationName: string;
  failures: number;
  failingSince: Date;
  failedStatus: number | null;
  failedError: string | null;
}

/** For the enabled applications in $1, or all. Counts up to one more than the cap, as the list of endpoints does. */
export const failingChannels = statement<FailingChannel>(
  `SELECT c.id, c.callback_url AS "callbackUrl", a.application_id AS "applicationId", p.name AS "applicationName", c.failures,
  coalesce(c.failing_since, c.created_at) AS "failingSince",
  c.failed_status AS "failedStatus", c.failed_error AS "failedError"
FROM channels c JOIN accounts a ON a.id = c.account_id JOIN applications p ON p.id = a.application_id
WHERE c.failing AND c.closed_at IS NULL AND c.paused_at IS NULL AND p.disabled_at IS NULL AND ($1::text[] IS NULL OR a.application_id = ANY ($1)) ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST_COUNTED + 1}`,
  {
    id: text,
    callbackUrl: text,
    applicationId: text,
    applicationName: text,
    failures: int4,
    failingSince: timestamp,
    failedStatus: nullable(int4),
    failedError: nullable(text),
  },
);

export interface LastSuccess {
  channelId: string;
  at: Date;
}

/** The last attempt of each of these channels that was accepted between two times. */
export const lastSuccesses = statement<LastSuccess>(
  `SELECT c.id AS "channelId", a.started_at AS at FROM unnest($1::text[]) c(id) CROSS JOIN LATERAL
  (SELECT a.started_at FROM attempts a WHERE ${isOfChannel("a", "c.id", givenTimes)} AND a.status BETWEEN 200 AND 299 ORDER BY a.started_at DESC LIMIT 1) a`,
  { channelId: text, at: timestamp },
);
