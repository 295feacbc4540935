import { int4, nullable, statement, text, timestamp } from "@/server/db/statement";
import { isRetrying } from "@/server/services/staff/deliveries/rows";

const MOST_PENDING = 100_000;
const MOST_THROTTLED = 20;

/** In these three statements the last value restricts the applications; null: all. */
export const requestsByMinute = statement<{ at: Date; count: number; errors: number }>(
  `SELECT m AS at, coalesce(c.count, 0) AS count, coalesce(c.errors, 0) AS errors
FROM generate_series(date_trunc('minute', $1::timestamptz) - interval '59 minutes', $1::timestamptz, interval '1 minute') m
LEFT JOIN (SELECT minute, sum(requests)::int AS count, sum(client_errors + server_errors)::int AS errors
  FROM request_counts WHERE minute >= $1::timestamptz - interval '1 hour' AND minute <= $1::timestamptz AND ($2::text[] IS NULL OR application_id = ANY ($2)) GROUP BY 1) c ON c.minute = m ORDER BY m`,
  { at: timestamp, count: int4, errors: int4 },
);

export const throttledSince = statement<{ id: string; name: string; count: number }>(
  `SELECT a.id, a.name, sum(c.throttled)::int AS count FROM request_counts c JOIN applications a ON a.id = c.application_id
WHERE c.minute > $1 AND c.throttled > 0 AND ($2::text[] IS NULL OR c.application_id = ANY ($2)) GROUP BY a.id ORDER BY count DESC, a.id LIMIT ${MOST_THROTTLED}`,
  { id: text, name: text, count: int4 },
);

interface DeliveryFigures {
  pending: number;
  late: number;
  retrying: number;
  lastError: string | null;
  failed: number;
}

const isWithin = "($3::text[] IS NULL OR application_id = ANY ($3))";

export const deliveryFigures = statement<DeliveryFigures>(
  `SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'pending' AND ${isWithin} LIMIT ${MOST_PENDING}) p) AS pending,
  (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'pending' AND next_attempt_at < $1 AND ${isWithin} LIMIT ${MOST_PENDING}) l) AS late,
  (SELECT count(*)::int FROM (SELECT FROM deliveries d WHERE d.state = 'pending' AND ${isRetrying} AND ${isWithin} LIMIT ${MOST_PENDING}) r) AS retrying,
  (SELECT coalesce(d.last_error, d.last_status::text) FROM deliveries d WHERE d.state = 'pending' AND ${isRetrying} AND ${isWithin}
    ORDER BY d.created_at DESC LIMIT 1) AS "lastError",
  (SELECT count(*)::int FROM deliveries WHERE state <> 'delivered' AND state = 'failed' AND created_at >= $2 AND ${isWithin}) AS failed`,
  { pending: int4, late: int4, retrying: int4, lastError: nullable(text), failed: int4 },
);

interface BackgroundFigures {
  lastLookAt: Date;
  waitingSignals: number;
  deadLetters: number;
}

export const backgroundFigures = statement<BackgroundFigures>(
  `SELECT (SELECT looked_at FROM alert_looks) AS "lastLookAt",
  (SELECT count(*)::int FROM outbox WHERE due_at < 'infinity') AS "waitingSignals",
  (SELECT count(*)::int FROM outbox WHERE due_at = 'infinity') AS "deadLetters"`,
  { lastLookAt: timestamp, waitingSignals: int4, deadLetters: int4 },
);
