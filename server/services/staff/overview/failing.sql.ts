import { isAttemptOf } from "@/server/db/attempts-of";
import { bool, int4, nullable, statement, text, timestamp } from "@/server/db/statement";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";

export interface FailingChannel {
  id: string;
  callbackUrl: string;
  applicationId: string;
  applicationName: string;
  failures: number;
  failingSince: Date;
}

/** Of the applications of $1 that are enabled, or of all. Up to one more than the cap, as the list of endpoints counts them. */
export const failingChannels = statement<FailingChannel>(
  `SELECT c.id, c.callback_url AS "callbackUrl", a.application_id AS "applicationId", p.name AS "applicationName", c.failures,
  coalesce(c.failing_since, c.created_at) AS "failingSince"
FROM channels c JOIN accounts a ON a.id = c.account_id JOIN applications p ON p.id = a.application_id
WHERE c.failing AND c.closed_at IS NULL AND c.paused_at IS NULL AND p.disabled_at IS NULL AND ($1::text[] IS NULL OR a.application_id = ANY ($1)) ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST_COUNTED + 1}`,
  { id: text, callbackUrl: text, applicationId: text, applicationName: text, failures: int4, failingSince: timestamp },
);

export interface LastAttempt {
  channelId: string;
  startedAt: Date;
  status: number | null;
  error: string | null;
  accepted: boolean;
}

/** Of each of these channels the last attempt that failed and the last that was accepted, among its newest deliveries. */
export const lastAttempts = statement<LastAttempt>(
  `SELECT c.id AS "channelId", a.started_at AS "startedAt", a.status, a.error_class AS error, a.accepted
FROM unnest($1::text[]) c(id) CROSS JOIN LATERAL (SELECT DISTINCT ON (accepted) * FROM (SELECT b.started_at, b.status, b.error_class,
    coalesce(b.status BETWEEN 200 AND 299, false) AS accepted
  FROM (SELECT d.id, d.created_at FROM deliveries d WHERE d.channel_id = c.id AND d.attempts > 0 ORDER BY d.created_at DESC LIMIT (SELECT 50)) d
  JOIN attempts b ON ${isAttemptOf("b", "d")}) b ORDER BY accepted, started_at DESC) a`,
  { channelId: text, startedAt: timestamp, status: nullable(int4), error: nullable(text), accepted: bool },
);
