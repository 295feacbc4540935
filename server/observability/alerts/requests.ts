import type { AlertRule } from "@/server/observability/alert-rule";

/** Alerts about requests: whether they fail, are slow, or wait for a slot or a connection. */
export const requestAlerts: readonly AlertRule[] = [
  {
    alert: "AlmanacRequestsFail",
    expr: '(sum(rate(almanac_http_request_duration_seconds_count{status=~"5.."}[2m])) - (sum(rate(almanac_maintenance_refusals_total[2m])) or vector(0))) / sum(rate(almanac_http_request_duration_seconds_count[2m])) > 0.01',
    for: "1m",
    severity: "page",
    summary: "More than 1% of requests fail",
    users: "Errors in the applications. Those that retry on 503 recover on their own.",
    first: [
      '`sum by (status) (rate(almanac_http_request_duration_seconds_count{status=~"5.."}[2m]))`: 503 or 500?',
      '`topk(5, sum by (endpoint) (rate(almanac_http_request_duration_seconds_count{status=~"5.."}[2m])))`: one endpoint, or all?',
      '`docker compose logs --since 5m web-1 web-2 | grep \'"level":"error"\'`: each 500 has a line with its request ID.',
    ],
    advice:
      "A 503 means overload, or that the database is away: see the other alerts. For other status codes, look in the log.",
    escalate: "If it is 500 on one endpoint, to whoever develops Almanac, with a request ID and its log line.",
  },
  {
    alert: "AlmanacSlow",
    expr: 'histogram_quantile(0.99, sum by (le) (rate(almanac_http_request_duration_seconds_bucket{endpoint=~"/v1/.*"}[2m]))) > 1',
    for: "1m",
    severity: "ticket",
    summary: "1% of API requests take more than a second",
    users: "Some requests take seconds.",
    first: [
      "`topk(5, histogram_quantile(0.99, sum by (le, endpoint) (rate(almanac_http_request_duration_seconds_bucket[5m]))))`: which endpoint?",
      '`psql "$DATABASE_URL" -c "SELECT now() - query_start AS since, left(query, 80) FROM pg_stat_activity WHERE state = \'active\' ORDER BY 1 DESC LIMIT 10"`.',
      "`almanac_database_connections` and `nodejs_eventloop_lag_p99_seconds`: the pool, or the processor?",
    ],
    advice: "Look at AlmanacRequestsWait and AlmanacHeldUp. If neither fires, the database is slow.",
    escalate: "To whoever runs PostgreSQL, if its statements take long.",
  },
  {
    alert: "AlmanacRequestsWait",
    expr: "histogram_quantile(0.95, sum by (le, place) (rate(almanac_admission_wait_seconds_bucket[2m]))) > 1 or max by (place) (min_over_time(almanac_admission_waiting[1m])) > 20",
    for: "45s",
    severity: "ticket",
    summary: "Requests wait for their turn: {{ $labels.place }}",
    users: "Slow responses, then 503 after 20 seconds. Applications with few requests get theirs first.",
    first: [
      "`sum by (instance) (almanac_admission_waiting)`: one process, or all?",
      "`sum by (endpoint) (rate(almanac_http_request_duration_seconds_count[2m]))`: what is asked for more than usual?",
      "Requests in the dashboard, by application: who sends them?",
    ],
    advice:
      "`request`: they wait for the database in the process. Add web processes or connections (`DATABASE_POOL`) if PostgreSQL has room. `large_body`: many requests write more than 128 KiB at once.",
    escalate: "If one application causes it, shed that application: see [Maintenance](dashboard.md#maintenance).",
  },
  {
    alert: "AlmanacSlotHeld",
    expr: "max by (place) (almanac_admission_longest_hold_seconds) > 10",
    for: "1m",
    severity: "ticket",
    summary: "A request holds its slot: {{ $labels.place }}",
    users: "Nothing as long as it is a few requests.",
    first: [
      "`docker compose logs --since 15m web-1 web-2 | grep 'slot'`: the application, after 30 seconds.",
      '`psql "$DATABASE_URL" -c "SELECT pid, now() - xact_start AS since, wait_event, left(query, 80) FROM pg_stat_activity WHERE xact_start IS NOT NULL ORDER BY 2 DESC LIMIT 5"`.',
      "`sum by (place) (almanac_admission_waiting)`: do others wait for it?",
    ],
    advice:
      "It has had a slot at the database, or for a large body, for more than 10 seconds. After 30 seconds other requests go first, and the log names its application.",
    escalate: "To whoever runs PostgreSQL, if a statement waits for a lock.",
  },
  {
    alert: "AlmanacPoolWaits",
    expr: "min_over_time(almanac_database_pool_waiting[1m]) > 0",
    for: "30s",
    severity: "ticket",
    summary: "Jobs and requests wait for a connection",
    users: "Slow responses, and webhooks that start later.",
    first: [
      "`almanac_database_connections`: are all of them busy?",
      '`psql "$DATABASE_URL" -c "SELECT state, count(*) FROM pg_stat_activity GROUP BY 1"`: how many does PostgreSQL have left?',
      "`node server/front-door/doctor.mjs`: latency and `max_connections`.",
    ],
    advice: "The pool is too small, or the database is slow.",
    escalate: "If `DATABASE_POOL` can't grow because PostgreSQL has no more connections.",
  },
];
