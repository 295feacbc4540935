import { int4, nullable, statement, text, timestamp } from "@/server/db/statement";
import { isRetrying } from "@/server/services/staff/deliveries/rows";

const MOST_PENDING = 100_000;
const MOST_THROTTLED = 20;

export const requestsByMinute = statement<{ at: Date; count: number; errors: number }>(
  `SELECT m AS at, coalesce(c.count, 0) AS count, coalesce(c.errors, 0) AS errors
FROM generate_series(date_trunc('minute', $1::timestamptz) - interval '59 minutes', $1::timestamptz, interval '1 minute') m
LEFT JOIN (SELECT minute, sum(requests)::int AS count, sum(client_errors + server_errors)::int AS errors
  FROM request_counts WHERE minute >= $1::timestamptz - interval '1 hour' AND minute <= $1::timestamptz GROUP BY 1) c ON c.minute = m ORDER BY m`,
  { at: timestamp, count: int4, errors: int4 },
);

export const throttledSince = statement<{ id: string; name: string; count: number }>(
  `SELECT a.id, a.name, sum(c.throttled)::int AS count FROM request_counts c JOIN applications a ON a.id = c.application_id
WHERE c.minute > $1 AND c.throttled > 0 GROUP BY a.id ORDER BY count DESC, a.id LIMIT ${MOST_THROTTLED}`,
  { id: text, name: text, count: int4 },
);

interface DeliveryFigures {
  pending: number;
  late: number;
  retrying: number;
  lastError: string | null;
  failed: number;
}

export const deliveryFigures = statement<DeliveryFigures>(
  `SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'pending' LIMIT ${MOST_PENDING}) p) AS pending,
  (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'pending' AND next_attempt_at < $1 LIMIT ${MOST_PENDING}) l) AS late,
  (SELECT count(*)::int FROM (SELECT FROM deliveries d WHERE d.state = 'pending' AND ${isRetrying} LIMIT ${MOST_PENDING}) r) AS retrying,
  (SELECT coalesce(d.last_error, d.last_status::text) FROM deliveries d WHERE d.state = 'pending' AND ${isRetrying}
    ORDER BY d.created_at DESC LIMIT 1) AS "lastError",
  (SELECT count(*)::int FROM deliveries WHERE state <> 'delivered' AND state = 'failed' AND created_at >= $2) AS failed`,
  { pending: int4, late: int4, retrying: int4, lastError: nullable(text), failed: int4 },
);

interface BackgroundFigures {
  open: number;
  oldestDueAt: Date | null;
  failed24h: number;
  lastSweepAt: Date | null;
  waitingSignals: number;
  deadLetters: number;
}

export const backgroundFigures = statement<BackgroundFigures>(
  `SELECT (SELECT count(*)::int FROM background_runs WHERE app_id = $1 AND state = 'open') AS open,
  (SELECT min(due_at) FROM background_runs WHERE app_id = $1 AND state = 'open') AS "oldestDueAt",
  (SELECT count(*)::int FROM background_runs WHERE app_id = $1 AND state = 'failed' AND finished_at > $2) AS failed24h,
  (SELECT finished_at FROM background_runs WHERE app_id = $1 AND state = 'done' AND finished_at IS NOT NULL
    AND function_id = $3 ORDER BY finished_at DESC LIMIT 1) AS "lastSweepAt",
  (SELECT count(*)::int FROM outbox WHERE due_at < 'infinity') AS "waitingSignals",
  (SELECT count(*)::int FROM outbox WHERE due_at = 'infinity') AS "deadLetters"`,
  {
    open: int4,
    oldestDueAt: nullable(timestamp),
    failed24h: int4,
    lastSweepAt: nullable(timestamp),
    waitingSignals: int4,
    deadLetters: int4,
  },
);

export interface TroubledChannel {
  channelId: string;
  callbackUrl: string;
  applicationId: string;
  applicationName: string;
  retrying: number;
  failed: number;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  /** When the first of the deliveries that fail was made. */
  failingSince: Date;
  failedAt: Date;
  deliveredAt: Date | null;
}

/** The newest of both kinds are enough to know who fails: each is read from an index that holds nothing else. */
export const troubledChannels = statement<TroubledChannel>(
  `WITH recent AS MATERIALIZED (
  (SELECT d.id, d.channel_id, d.attempts, d.last_status, d.last_error, true AS retrying, d.created_at, d.created_at AS ended_at FROM deliveries d
    WHERE d.state = 'pending' AND ${isRetrying} ORDER BY d.created_at DESC LIMIT 500)
  UNION ALL
  (SELECT d.id, d.channel_id, d.attempts, d.last_status, d.last_error, false, d.created_at, d.finished_at FROM deliveries d
    WHERE d.state IN ('failed', 'cancelled') AND d.state = 'failed' AND d.created_at >= $1 ORDER BY d.created_at DESC, d.id DESC LIMIT 500)),
failures AS (SELECT s.*, coalesce(a.started_at, s.ended_at) AS at FROM recent s
  LEFT JOIN LATERAL (SELECT started_at FROM attempts WHERE delivery_id = s.id ORDER BY number DESC LIMIT 1) a ON true),
those AS (SELECT channel_id, (count(*) FILTER (WHERE retrying))::int AS retrying, (count(*) FILTER (WHERE NOT retrying))::int AS failed,
  sum(attempts)::int AS attempts, min(created_at) AS failing_since, max(at) AS failed_at, (array_agg(last_status ORDER BY at DESC))[1] AS last_status,
  (array_agg(last_error ORDER BY at DESC))[1] AS last_error FROM failures GROUP BY channel_id)
SELECT t.channel_id AS "channelId", c.callback_url AS "callbackUrl", p.id AS "applicationId", p.name AS "applicationName", t.retrying, t.failed,
  t.attempts, t.last_status AS "lastStatus", t.last_error AS "lastError", t.failing_since AS "failingSince", t.failed_at AS "failedAt", s.at AS "deliveredAt"
FROM those t JOIN channels c ON c.id = t.channel_id AND c.closed_at IS NULL JOIN accounts o ON o.id = c.account_id
JOIN applications p ON p.id = o.application_id
CROSS JOIN LATERAL (SELECT max(n.finished_at) FILTER (WHERE n.state = 'delivered') AS at FROM
  (SELECT state, finished_at FROM deliveries WHERE channel_id = t.channel_id ORDER BY created_at DESC LIMIT 10) n) s
ORDER BY t.channel_id`,
  {
    channelId: text,
    callbackUrl: text,
    applicationId: text,
    applicationName: text,
    retrying: int4,
    failed: int4,
    attempts: int4,
    lastStatus: nullable(int4),
    lastError: nullable(text),
    failingSince: timestamp,
    failedAt: timestamp,
    deliveredAt: nullable(timestamp),
  },
);
