import { int4, nullable, oneOf, statement, text, texts, timestamp } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { isFailing } from "@/server/services/staff/accounts/mailbox-states";

/** Nobody with more of them reads a list. */
const MOST = 1_000;
const MOST_PROFILES = 10_000;

interface ApplicationColumns {
  applicationId: string;
  applicationName: string;
}
const owned = { applicationId: text, applicationName: text };

/**
 * Joins the owner of a channel, row by row (`OFFSET 0`): trouble is rare, and found by indexes that contain nothing else,
 * but PostgreSQL, which may have no statistics, would read all owners.
 */
const accountOf = (channel: string) =>
  `CROSS JOIN LATERAL (SELECT application_id FROM accounts WHERE id = ${channel}.account_id OFFSET 0) a`;

/** Without the query of the callback URL, where receivers keep secrets. */
export const failingUrls = statement<
  ApplicationColumns & { url: string; channels: number; failures: number; since: Date }
>(
  `SELECT p.id AS "applicationId", p.name AS "applicationName", split_part(split_part(c.callback_url, '?', 1), '#', 1) AS url,
  count(*)::int AS channels, max(c.failures) AS failures, min(coalesce(c.failing_since, c.created_at)) AS since
FROM channels c ${accountOf("c")} JOIN applications p ON p.id = a.application_id
WHERE c.failing AND c.closed_at IS NULL AND c.paused_at IS NULL AND p.disabled_at IS NULL GROUP BY 1, 2, 3 ORDER BY since LIMIT ${MOST}`,
  { ...owned, url: text, channels: int4, failures: int4, since: timestamp },
);

export const disconnectedAccounts = statement<
  ApplicationColumns & { accounts: number; latest: string[]; since: Date; newsAt: Date; withdrawn: string[] }
>(
  `SELECT p.id AS "applicationId", p.name AS "applicationName", count(DISTINCT d.account_id)::int AS accounts,
  (array_agg(d.account_id ORDER BY d.disconnected_at DESC))[1:5] AS latest, min(d.disconnected_at) AS since, max(d.disconnected_at) AS "newsAt",
  ARRAY(SELECT g.domains[1] FROM delegations g WHERE g.application_id = p.id AND g.withdrawn_at IS NOT NULL
    AND EXISTS (SELECT FROM profiles o WHERE o.delegation_id = g.id AND NOT o.connected) ORDER BY 1) AS withdrawn
FROM (SELECT application_id, account_id, disconnected_at FROM profiles WHERE NOT connected AND disconnected_at IS NOT NULL LIMIT ${MOST_PROFILES}) d
JOIN applications p ON p.id = d.application_id WHERE p.disabled_at IS NULL GROUP BY 1, 2 LIMIT ${MOST}`,
  { ...owned, accounts: int4, latest: texts, since: timestamp, newsAt: timestamp, withdrawn: texts },
);

interface RequestFigures extends ApplicationColumns {
  requests: number;
  clientErrors: number;
  serverErrors: number;
  clientErrorsSince: Date | null;
  serverErrorsSince: Date | null;
}

/** The requests between two times of each application that has errors, and since when. */
export const erringApplications = statement<RequestFigures>(
  `SELECT p.id AS "applicationId", p.name AS "applicationName", sum(c.requests)::int AS requests,
  sum(c.client_errors)::int AS "clientErrors", sum(c.server_errors)::int AS "serverErrors",
  min(c.minute) FILTER (WHERE c.client_errors > 0) AS "clientErrorsSince", min(c.minute) FILTER (WHERE c.server_errors > 0) AS "serverErrorsSince"
FROM request_counts c JOIN applications p ON p.id = c.application_id
WHERE c.minute > $1 AND c.minute <= $2 AND p.disabled_at IS NULL GROUP BY 1, 2 HAVING sum(c.client_errors + c.server_errors) > 0
ORDER BY sum(c.client_errors + c.server_errors) DESC, 1 LIMIT ${MOST}`,
  {
    ...{ ...owned, requests: int4, clientErrors: int4, serverErrors: int4 },
    ...{ clientErrorsSince: nullable(timestamp), serverErrorsSince: nullable(timestamp) },
  },
);

/** Deliveries given up since a time, by application. A manual retry that fails again counts nothing, and neither do tests. */
export const failedDeliveries = statement<ApplicationColumns & { failed: number; since: Date }>(
  `SELECT p.id AS "applicationId", p.name AS "applicationName", count(*)::int AS failed, min(d.finished_at) AS since
FROM deliveries d JOIN applications p ON p.id = d.application_id
WHERE d.state = 'failed' AND NOT d.test AND d.finished_at > $1 AND p.disabled_at IS NULL GROUP BY 1, 2 ORDER BY failed DESC, 1 LIMIT ${MOST}`,
  { ...owned, failed: int4, since: timestamp },
);

/**
 * Mailboxes that several syncs in a row could not read because their provider does not respond, by provider and
 * application. Feeds have no provider in common: one that is gone says nothing of the others.
 */
export const unreachableMailboxes = statement<{
  provider: Provider;
  applicationId: string;
  mailboxes: number;
  since: Date;
}>(
  `SELECT s.provider, s.application_id AS "applicationId", count(*)::int AS mailboxes,
  min(coalesce(s.last_sync_at, (SELECT created_at FROM profiles WHERE id = s.profile_id))) AS since
FROM profile_syncs s WHERE ${isFailing("s")} AND s.sync_error IN ('down', 'misconfigured') AND s.provider <> 'feed' GROUP BY 1, 2`,
  { provider: oneOf<Provider>(), applicationId: text, mailboxes: int4, since: timestamp },
);
