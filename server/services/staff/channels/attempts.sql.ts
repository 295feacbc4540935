import { int4, nullable, statement, timestamp } from "@/server/db/statement";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";

/** How far back the figures of an endpoint reach. */
export const MEASURED_HOURS = 24;

/**
 * Returns the SQL condition that an attempt of a channel began between two times. All three arguments are names of
 * values; the index contains what the figures need (ADR 70).
 */
export const isOfChannel = (attempt: string, channel: string, { from, before }: TimeNames) =>
  `${attempt}.channel_id = ${channel} AND ${attempt}.started_at >= ${from}::timestamptz AND ${attempt}.started_at < ${before}::timestamptz`;

export interface TimeNames {
  from: string;
  before: string;
}

export const givenTimes: TimeNames = { from: "$2", before: "$3" };

export interface AttemptFigures {
  attempts: number;
  successes: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** Returns SQL for one row that summarizes a channel's attempts. */
export const attemptFigures = (channel: string, times: TimeNames = givenTimes) =>
  `SELECT count(*)::int AS attempts, (count(*) FILTER (WHERE a.status BETWEEN 200 AND 299))::int AS successes,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) AS "p50Ms", percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) AS "p95Ms"
  FROM attempts a WHERE ${isOfChannel("a", channel, times)}`;

export const measuredColumns = { attempts: int4, successes: int4, p50Ms: nullable(int4), p95Ms: nullable(int4) };

export interface HourOfAttempts {
  at: Date;
  succeeded: number;
  failed: number;
}

export const attemptsByHour = statement<HourOfAttempts>(
  `SELECT date_bin('1 hour', a.started_at, '2000-01-01Z') AS at, (count(*) FILTER (WHERE a.status BETWEEN 200 AND 299))::int AS succeeded,
  (count(*) FILTER (WHERE (a.status BETWEEN 200 AND 299) IS NOT TRUE))::int AS failed
FROM attempts a WHERE ${isOfChannel("a", "$1", givenTimes)} GROUP BY 1`,
  { at: timestamp, succeeded: int4, failed: int4 },
);

interface LastTimes {
  lastAttemptAt: Date | null;
  oldestPendingAt: Date | null;
  /** Pending deliveries, counted up to one more than the cap. */
  waiting: number;
}

export const oldestPending =
  "SELECT min(created_at) FROM deliveries WHERE state = 'pending' AND channel_id = $1 AND NOT test";

export const lastTimes = statement<LastTimes>(
  `SELECT (SELECT a.started_at FROM attempts a WHERE ${isOfChannel("a", "$1", givenTimes)} ORDER BY a.started_at DESC LIMIT 1) AS "lastAttemptAt",
  (${oldestPending}) AS "oldestPendingAt",
  (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE state = 'pending' AND channel_id = $1 LIMIT ${MOST_COUNTED + 1}) d) AS waiting`,
  { lastAttemptAt: nullable(timestamp), oldestPendingAt: nullable(timestamp), waiting: int4 },
);
