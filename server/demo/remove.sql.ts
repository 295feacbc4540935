import { int4, statement } from "@/server/db/statement";
import { REQUEST_IDS } from "@/server/demo/marks";

/** Deletes the demo's requests of unknown callers from the log and from its counts. */
export const dropUnknownCallers = statement<{ n: number }>(
  `WITH gone AS (DELETE FROM request_logs WHERE application_id IS NULL AND request_id LIKE '${REQUEST_IDS}%' RETURNING at, status),
counted AS (SELECT date_trunc('minute', at) AS minute, count(*)::int AS n, (count(*) FILTER (WHERE status BETWEEN 400 AND 499))::int AS errors
  FROM gone GROUP BY 1),
minutes AS (UPDATE request_counts c SET requests = c.requests - g.n, client_errors = c.client_errors - g.errors
  FROM counted g WHERE c.minute = g.minute AND c.application_id = ''),
hours AS (UPDATE request_counts_by_hour c SET requests = c.requests - g.n, client_errors = c.client_errors - g.errors
  FROM (SELECT date_trunc('hour', minute, 'UTC') AS hour, sum(n)::int AS n, sum(errors)::int AS errors FROM counted GROUP BY 1) g
  WHERE c.hour = g.hour AND c.application_id = '')
SELECT count(*)::int AS n FROM gone`,
  { n: int4 },
);
