import { deletingBatch } from "@/server/db/batches";
import { prepared } from "@/server/db/client";
import { command, int4, statement } from "@/server/db/statement";
import { CHOOSING_DIGITS, CHOOSING_NUMBERS } from "@/server/domain/read-share";
import { refusingFaults } from "@/server/domain/requested-faults";

const counts = "requests, client_errors, server_errors, throttled, not_stored";
const adding = `requests = c.requests + excluded.requests, client_errors = c.client_errors + excluded.client_errors,
  server_errors = c.server_errors + excluded.server_errors, throttled = c.throttled + excluded.throttled,
  not_stored = c.not_stored + excluded.not_stored`;

/**
 * Adds the counts of `counted`. Locks all minutes before the first hour, and each in order, so that batches of several
 * processes never deadlock.
 */
const addCounted = `minutes AS (INSERT INTO request_counts AS c (minute, application_id, ${counts})
  SELECT minute, application_id, ${counts} FROM counted ORDER BY 1, 2
  ON CONFLICT (minute, application_id) DO UPDATE SET ${adding} RETURNING 1)
INSERT INTO request_counts_by_hour AS c (hour, application_id, ${counts})
SELECT date_trunc('hour', minute, 'UTC'), application_id, sum(requests), sum(client_errors), sum(server_errors), sum(throttled), sum(not_stored)
FROM counted WHERE (SELECT count(*) FROM minutes) > 0 GROUP BY 1, 2 ORDER BY 1, 2
ON CONFLICT (hour, application_id) DO UPDATE SET ${adding}`;

/** Faults that clients of the sandbox requested are counted as requests, and not as errors. */
const requested = `ARRAY[${refusingFaults.map((key) => `'${key}'`).join(", ")}]`;

/** SQL for whether a row of the log, or of a batch, is no error. */
export const isGood = `status < 400 OR coalesce(error_keys && ${requested}, false)`;

/** Returns SQL for `isInShare`. */
export const inShare = (id: string, share: string) =>
  `('x' || right(${id}::text, ${CHOOSING_DIGITS}))::bit(${4 * CHOOSING_DIGITS})::bigint < ${share}::float8 * ${CHOOSING_NUMBERS}`;

/**
 * Only new rows are counted, in the same statement: a batch that is sent again counts nothing twice. Rows come as json,
 * which is parsed once, and headers and bodies as a text, which is not parsed at all: as jsonb they cost half of the
 * statement (ADR 55).
 */
export const insertRequests = command(
  prepared(
    "insert requests",
    `WITH stored AS (
  INSERT INTO request_logs (id, expires_on, request_id, at, method, path, endpoint, query, status, duration_ms, application_id,
    account_id, address, error_keys, event_keys, detail)
  SELECT id, expires_on, request_id, at, method, path, endpoint, query, status, duration_ms, application_id, account_id, address,
    error_keys, event_keys, detail
  FROM json_to_recordset($1::json) AS r(id uuid, expires_on date, request_id text, at timestamptz, method text, path text,
    endpoint text, query text, status smallint, duration_ms float8, application_id text, account_id text, address text,
    error_keys text[], event_keys int8[], detail text)
  ON CONFLICT DO NOTHING RETURNING at, application_id, status,
    ${isGood} AS is_good),
counted AS (SELECT date_trunc('minute', at) AS minute, coalesce(application_id, '') AS application_id, count(*) AS requests,
    count(*) FILTER (WHERE NOT is_good AND status < 500) AS client_errors, count(*) FILTER (WHERE NOT is_good AND status >= 500) AS server_errors,
    count(*) FILTER (WHERE NOT is_good AND status = 429) AS throttled, 0 AS not_stored
  FROM stored GROUP BY 1, 2),
${addCounted}`,
  ),
);

/** Returns SQL that reads one of the four parts of a row's `detail`, as json. */
export const loggedPart = (
  row: string,
  part: "request_headers" | "request_body" | "response_headers" | "response_body",
) => `(${row}.detail::json -> '${part}')`;

export const addCounts =
  command(`WITH tallied AS (INSERT INTO request_tallies (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1),
counted AS (SELECT minute, application_id, ${counts} FROM jsonb_to_recordset($2::jsonb)
    AS r(minute timestamptz, application_id text, requests int, client_errors int, server_errors int, throttled int, not_stored int)
  WHERE EXISTS (SELECT FROM tallied)),
${addCounted}`);

export const dropTallies = statement<{ n: number }>(deletingBatch("request_tallies", "at < $1"), { n: int4 });
export const dropCounts = statement<{ n: number }>(deletingBatch("request_counts", "minute < $1"), { n: int4 });
export const dropHourCounts = statement<{ n: number }>(deletingBatch("request_counts_by_hour", "hour < $1"), {
  n: int4,
});
