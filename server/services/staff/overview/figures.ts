import type { Query } from "@/server/db/client";
import { queryOne } from "@/server/db/query-one";
import { isRetrying } from "@/server/services/staff/deliveries/rows";
import type { Overview } from "@/server/services/staff/overview/shapes";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LATE_AFTER_MS = 30_000;
/** A delivery fails at the latest so long after it was made. */
const LONGEST_LIFE_MS = 48 * HOUR_MS;
const MOST_PENDING = 100_000;
const MOST_THROTTLED = 20;

export async function requestsNow(query: Query, now: number): Promise<Overview["requestsPerMinute"]> {
  const rows = await query<{ at: Date; count: number; errors: number }>(
    `SELECT m AS at, coalesce(c.count, 0) AS count, coalesce(c.errors, 0) AS errors
FROM generate_series(date_trunc('minute', $1::timestamptz) - interval '59 minutes', $1::timestamptz, interval '1 minute') m
LEFT JOIN (SELECT minute, sum(requests)::int AS count, sum(client_errors + server_errors)::int AS errors
  FROM request_counts WHERE minute >= $1::timestamptz - interval '1 hour' AND minute <= $1::timestamptz GROUP BY 1) c ON c.minute = m ORDER BY m`,
    [new Date(now)],
  );
  return rows.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts }));
}

export async function throttledNow(query: Query, now: number): Promise<Overview["throttledApplications"]> {
  return await query(
    `SELECT a.id, a.name, sum(c.throttled)::int AS count FROM request_counts c JOIN applications a ON a.id = c.application_id
WHERE c.minute > $1 AND c.throttled > 0 GROUP BY a.id ORDER BY count DESC, a.id LIMIT ${MOST_THROTTLED}`,
    [new Date(now - HOUR_MS)],
  );
}

export async function deliveriesNow(query: Query, now: number): Promise<Overview["deliveries"]> {
  const failedSince = new Date(Math.floor((now - LONGEST_LIFE_MS) / MINUTE_MS) * MINUTE_MS);
  const row = await queryOne<Omit<Overview["deliveries"], "queued" | "failedSince"> & { pending: number }>(
    query,
    `SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'pending' LIMIT ${MOST_PENDING}) p) AS pending,
  (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'pending' AND next_attempt_at < $1 LIMIT ${MOST_PENDING}) l) AS late,
  (SELECT count(*)::int FROM (SELECT FROM deliveries d WHERE d.state = 'pending' AND ${isRetrying} LIMIT ${MOST_PENDING}) r) AS retrying,
  (SELECT coalesce(d.last_error, d.last_status::text) FROM deliveries d WHERE d.state = 'pending' AND ${isRetrying}
    ORDER BY d.created_at DESC LIMIT 1) AS "lastError",
  (SELECT count(*)::int FROM deliveries WHERE state <> 'delivered' AND state = 'failed' AND created_at >= $2) AS failed`,
    [new Date(now - LATE_AFTER_MS), failedSince],
  );
  const { pending, retrying, lastError, late, failed } = row;
  const queued = Math.max(0, pending - retrying);
  return { queued, retrying, lastError, late, failed, failedSince: failedSince.toISOString() };
}

export async function profilesNow(query: Query): Promise<number> {
  const row = await queryOne<{ count: number }>(
    query,
    "SELECT count(*)::int AS count FROM profiles WHERE NOT connected",
  );
  return row.count;
}

export async function backgroundNow(query: Query, now: number): Promise<Omit<Overview["background"], "executor">> {
  const row = await queryOne<Figures>(
    query,
    `SELECT (SELECT count(*)::int FROM background_runs WHERE app_id = $1 AND state = 'open') AS open,
  (SELECT min(due_at) FROM background_runs WHERE app_id = $1 AND state = 'open') AS "oldestDueAt",
  (SELECT count(*)::int FROM background_runs WHERE app_id = $1 AND state = 'failed' AND finished_at > $2) AS failed24h,
  (SELECT finished_at FROM background_runs WHERE app_id = $1 AND state = 'done' AND finished_at IS NOT NULL
    AND function_id = $3 ORDER BY finished_at DESC LIMIT 1) AS "lastSweepAt",
  (SELECT count(*)::int FROM outbox WHERE due_at < 'infinity') AS "waitingSignals",
  (SELECT count(*)::int FROM outbox WHERE due_at = 'infinity') AS "deadLetters"`,
    [APP_ID, new Date(now - DAY_MS), SWEEP_ID],
  );
  return {
    runs: {
      open: row.open,
      failed24h: row.failed24h,
      oldestDueAt: row.oldestDueAt?.toISOString() ?? null,
    },
    lastSweepAt: row.lastSweepAt?.toISOString() ?? null,
    waitingSignals: row.waitingSignals,
    deadLetters: row.deadLetters,
  };
}

/** The names under which jobs keeps its runs. */
const APP_ID = "almanac";
const SWEEP_ID = "almanac-sweep";

interface Figures {
  open: number;
  failed24h: number;
  oldestDueAt: Date | null;
  lastSweepAt: Date | null;
  waitingSignals: number;
  deadLetters: number;
}
