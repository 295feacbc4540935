/** A condition in PromQL, how long it has to hold, and what to do then. */
export interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  /** `page`: users notice it now. */
  severity: "page" | "ticket";
  summary: string;
  advice: string;
}

/**
 * Alerts for operators. rules.yml beside this file and the sections of docs/alerts.md are generated from it, and
 * promtool checks that each one fires within two minutes of its fault.
 */
export const alertRules: readonly AlertRule[] = [
  {
    alert: "AlmanacDown",
    expr: 'up{job=~"almanac.*"} == 0',
    for: "1m",
    severity: "page",
    summary: "A process can't be scraped",
    advice:
      "It has exited, or its network is broken. Look at its last log line, and check whether it ran out of memory.",
  },
  {
    alert: "AlmanacAbsent",
    expr: 'absent(up{job=~"almanac.*"}) or absent(almanac_ready)',
    for: "1m",
    severity: "page",
    summary: "No process is scraped",
    advice: "Nothing is running, or Prometheus can't find it. Check `METRICS_PORT`, `METRICS_HOST` and the scrape job.",
  },
  {
    alert: "AlmanacNotReady",
    expr: 'max by (instance, reason) (almanac_not_ready{reason!="shutting_down"}) == 1',
    for: "1m",
    severity: "page",
    summary: "A process gets no requests: {{ $labels.reason }}",
    advice:
      "`database_away` or `database_slow`: check PostgreSQL, the network and the pooler. Don't restart Almanac: it recovers on its own. `migration_missing`: start the new version. `held_up`: add processes.",
  },
  {
    alert: "AlmanacNoneReady",
    expr: "max(almanac_ready) == 0",
    for: "1m",
    severity: "page",
    summary: "No process is ready for requests",
    advice:
      "A load balancer that uses `/health/ready` sends no requests to any process. The reason is in `almanac_not_ready`.",
  },
  {
    alert: "AlmanacNoWorker",
    expr: "absent(almanac_queue_scrape_ok)",
    for: "1m",
    severity: "page",
    summary: "No process does background jobs",
    advice: "Webhooks, syncs and writes to providers are waiting. Start a process with `ALMANAC_ROLE=worker`.",
  },
  {
    alert: "AlmanacQueuesUnread",
    expr: "max(almanac_queue_scrape_ok) == 0",
    for: "1m",
    severity: "page",
    summary: "No worker can read its queues",
    advice:
      "The number of waiting jobs is unknown because the database doesn't respond. Check PostgreSQL and the network.",
  },
  {
    alert: "AlmanacJobsLate",
    expr: "max by (work) (almanac_queue_age_seconds) >= 300",
    for: "1m",
    severity: "page",
    summary: "Jobs are 5 minutes late: {{ $labels.work }}",
    advice:
      "Check that workers are running, then add workers or slots. Deliveries also wait for a receiver that is slow or down: the dashboard shows which.",
  },
  {
    alert: "AlmanacSyncsLate",
    expr: "max by (provider) (almanac_sync_lag_seconds) >= 900",
    for: "1m",
    severity: "ticket",
    summary: "Syncs are 15 minutes late: {{ $labels.provider }}",
    advice:
      "Syncs of one provider are due, and no worker starts them. Check that workers are running, then add workers or `SYNC_SLOTS`: one provider gets half of them.",
  },
  {
    alert: "AlmanacSyncsFail",
    expr: 'sum by (provider) (rate(almanac_syncs_total{result!="synced"}[2m])) / sum by (provider) (rate(almanac_syncs_total[2m])) > 0.5',
    for: "30s",
    severity: "ticket",
    summary: "Most syncs fail: {{ $labels.provider }}",
    advice:
      "Calendars are out of date: the provider may be down or throttling you, or it rejects Almanac's client secret. The dashboard shows the last error of each account.",
  },
  {
    alert: "AlmanacRequestsFail",
    expr: 'sum(rate(almanac_http_request_duration_seconds_count{status=~"5.."}[2m])) / sum(rate(almanac_http_request_duration_seconds_count[2m])) > 0.01',
    for: "1m",
    severity: "page",
    summary: "More than 1% of requests fail",
    advice:
      "A 503 means overload, or that the database is away: see the other alerts. For other status codes, look in the log.",
  },
  {
    alert: "AlmanacSlow",
    expr: 'histogram_quantile(0.99, sum by (le) (rate(almanac_http_request_duration_seconds_bucket{endpoint=~"/v1/.*"}[2m]))) > 1',
    for: "1m",
    severity: "ticket",
    summary: "1% of API requests take more than a second",
    advice: "Look at AlmanacRequestsWait and AlmanacHeldUp. If neither fires, the database is slow.",
  },
  {
    alert: "AlmanacRequestsWait",
    expr: "histogram_quantile(0.95, sum by (le, place) (rate(almanac_admission_wait_seconds_bucket[2m]))) > 1 or max by (place) (min_over_time(almanac_admission_waiting[1m])) > 20",
    for: "45s",
    severity: "ticket",
    summary: "Requests wait for their turn: {{ $labels.place }}",
    advice:
      "`request`: they wait for the database in the process. Add web processes or connections (`DATABASE_POOL`) if PostgreSQL has room. `large_body`: many requests write more than 128 KiB at once.",
  },
  {
    alert: "AlmanacSlotHeld",
    expr: "max by (place) (almanac_admission_longest_hold_seconds) > 10",
    for: "1m",
    severity: "ticket",
    summary: "A request holds its slot: {{ $labels.place }}",
    advice:
      "It has had a slot at the database, or for a large body, for more than 10 seconds. After 30 seconds other requests go first, and the log names its application.",
  },
  {
    alert: "AlmanacPoolWaits",
    expr: "min_over_time(almanac_database_pool_waiting[1m]) > 0",
    for: "30s",
    severity: "ticket",
    summary: "Jobs and requests wait for a connection",
    advice: "The pool is too small, or the database is slow.",
  },
  {
    alert: "AlmanacLogLost",
    expr: "increase(almanac_log_lines_lost_total[2m]) > 0",
    for: "30s",
    severity: "ticket",
    summary: "Lines of the log are lost",
    advice: "They can't be written: the disk or the pipe that receives them is full.",
  },
  {
    alert: "AlmanacHeldUp",
    expr: "nodejs_eventloop_lag_p99_seconds > 0.5",
    for: "1m",
    severity: "ticket",
    summary: "A process is short of processor time",
    advice: "It needs more of its core than it gets. Add processes.",
  },
  {
    alert: "AlmanacDeliveriesFail",
    expr: 'sum(rate(almanac_delivery_attempt_duration_seconds_count{reason="internal"}[2m])) > 0',
    for: "1m",
    severity: "ticket",
    summary: "Deliveries fail because of an error in Almanac",
    advice: "Look in the log. Failures at receivers have other reasons and are shown in the dashboard.",
  },
  {
    alert: "AlmanacCredentialsRejected",
    expr: 'sum by (provider) (rate(almanac_syncs_total{result="credentials_rejected"}[5m])) > 0.1',
    for: "1m",
    severity: "ticket",
    summary: "Many users must reconnect: {{ $labels.provider }}",
    advice: "Check the client secret at the provider.",
  },
  {
    alert: "AlmanacChoreLate",
    expr: "max by (chore) (almanac_chore_age_seconds) > 3 * max by (chore) (almanac_chore_interval_seconds)",
    for: "1m",
    severity: "ticket",
    summary: "A scheduled job doesn't run: {{ $labels.chore }}",
    advice:
      "Workers run a scheduled job that is late by twice its interval, with or without Inngest, so this one fails. Look for it in the log. Until it runs, data is kept that should be erased, or partitions are missing.",
  },
  {
    alert: "AlmanacInngestSilent",
    expr: "min by (instance) (almanac_inngest_round_trip_ok) == 0",
    for: "1m",
    severity: "ticket",
    summary: "No Inngest run comes back",
    advice:
      "The log has the status code of the response to Inngest's last call. 401: `INNGEST_SIGNING_KEY` doesn't match the server's. No call: it can't reach the workers at `INNGEST_SERVE_ORIGIN`. Workers run webhooks and syncs themselves until a run comes back, and scheduled jobs once they are late.",
  },
];

/** Writes the rules in Prometheus's format. */
export function ruleFile(rules = alertRules): object {
  const written = rules.map(({ alert, expr, for: lasting, severity, summary, advice }) => ({
    alert,
    expr,
    for: lasting,
    labels: { severity },
    annotations: { summary, description: advice },
  }));
  return { groups: [{ name: "almanac", rules: written }] };
}
