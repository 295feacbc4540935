/** A condition in Prometheus's language, for how long it has to hold, and what to do then. */
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
 * What operators are alerted to. rules.yml beside this file and the table of the documentation are made from it, and promtool checks that each
 * one fires within two minutes of its fault.
 */
export const alertRules: readonly AlertRule[] = [
  {
    alert: "AlmanacDown",
    expr: 'up{job=~"almanac.*"} == 0',
    for: "1m",
    severity: "page",
    summary: "A process can't be scraped",
    advice: "It has ended, or its network is broken. Look for its last log line, and whether it was out of memory.",
  },
  {
    alert: "AlmanacAbsent",
    expr: 'absent(up{job=~"almanac.*"}) or absent(almanac_ready)',
    for: "1m",
    severity: "page",
    summary: "No process is scraped",
    advice: "Nothing runs, or Prometheus doesn't find it. Check `METRICS_PORT`, `METRICS_HOST` and the scrape job.",
  },
  {
    alert: "AlmanacNotReady",
    expr: 'max by (instance, reason) (almanac_not_ready{reason!="shutting_down"}) == 1',
    for: "1m",
    severity: "page",
    summary: "A process gets no requests: {{ $labels.reason }}",
    advice:
      "`database_away` or `database_slow`: check PostgreSQL, the network and the pooler. Don't restart Almanac: it goes on by itself. `migration_missing`: start the new version. `held_up`: add processes.",
  },
  {
    alert: "AlmanacNoneReady",
    expr: "max(almanac_ready) == 0",
    for: "1m",
    severity: "page",
    summary: "No process is ready for requests",
    advice:
      "A load balancer that obeys `/health/ready` sends no requests to anybody. The reason is in `almanac_not_ready`.",
  },
  {
    alert: "AlmanacNoWorker",
    expr: "absent(almanac_queue_scrape_ok)",
    for: "1m",
    severity: "page",
    summary: "No process does background jobs",
    advice: "Webhooks, syncs and writes to providers wait. Start a process with `ALMANAC_ROLE=worker`.",
  },
  {
    alert: "AlmanacQueuesUnread",
    expr: "max(almanac_queue_scrape_ok) == 0",
    for: "1m",
    severity: "page",
    summary: "No worker can read its queues",
    advice: "Nobody knows how much work waits, because the database can't be asked. Check PostgreSQL and the network.",
  },
  {
    alert: "AlmanacJobsLate",
    expr: "max by (work) (almanac_queue_age_seconds) >= 300",
    for: "1m",
    severity: "page",
    summary: "Jobs are 5 minutes late: {{ $labels.work }}",
    advice:
      "Check that workers run, then add workers or slots. Deliveries also wait for a receiver that is slow or down: the dashboard shows which.",
  },
  {
    alert: "AlmanacSyncsLate",
    expr: "max by (provider) (almanac_sync_lag_seconds) >= 900",
    for: "1m",
    severity: "ticket",
    summary: "Syncs are 15 minutes late: {{ $labels.provider }}",
    advice:
      "Syncs of one provider are due and no worker begins them. Check that workers run, then add workers or `SYNC_SLOTS`: one provider gets half of them.",
  },
  {
    alert: "AlmanacSyncsFail",
    expr: 'sum by (provider) (rate(almanac_syncs_total{result!="synced"}[2m])) / sum by (provider) (rate(almanac_syncs_total[2m])) > 0.5',
    for: "30s",
    severity: "ticket",
    summary: "Most syncs fail: {{ $labels.provider }}",
    advice:
      "Calendars are out of date: the provider may be down or throttle you. The dashboard shows the last error of each account.",
  },
  {
    alert: "AlmanacRequestsFail",
    expr: 'sum(rate(almanac_http_request_duration_seconds_count{status=~"5.."}[2m])) / sum(rate(almanac_http_request_duration_seconds_count[2m])) > 0.01',
    for: "1m",
    severity: "page",
    summary: "More than 1% of requests fail",
    advice: "503 is overload or a database that is away: see the other alerts. Otherwise look in the log.",
  },
  {
    alert: "AlmanacSlow",
    expr: 'histogram_quantile(0.99, sum by (le) (rate(almanac_http_request_duration_seconds_bucket{endpoint=~"/v1/.*"}[2m]))) > 1',
    for: "1m",
    severity: "ticket",
    summary: "1% of API requests take more than a second",
    advice: "Compare the waits for a turn and the event loop below. If there are none, the database is slow.",
  },
  {
    alert: "AlmanacRequestsWait",
    expr: "histogram_quantile(0.95, sum by (le, place) (rate(almanac_admission_wait_seconds_bucket[2m]))) > 1 or max by (place) (min_over_time(almanac_admission_waiting[1m])) > 20",
    for: "45s",
    severity: "ticket",
    summary: "Requests wait for their turn: {{ $labels.place }}",
    advice:
      "`request`: they wait for the database in the process. Add web processes or connections (`DATABASE_POOL`) if PostgreSQL has room. `large_body`: many write over 128 KiB at once.",
  },
  {
    alert: "AlmanacSlotHeld",
    expr: "max by (place) (almanac_admission_longest_hold_seconds) > 10",
    for: "1m",
    severity: "ticket",
    summary: "A request holds its slot: {{ $labels.place }}",
    advice:
      "It has had a slot at the database, or for a large body, for more than 10 seconds. After 30 seconds others go ahead, and the log names its application.",
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
    advice: "They can't be written. The disk or the pipe that takes them is full.",
  },
  {
    alert: "AlmanacHeldUp",
    expr: "nodejs_eventloop_lag_p99_seconds > 0.5",
    for: "1m",
    severity: "ticket",
    summary: "A process is short of processor time",
    advice: "It needs its core for longer than it has it. Add processes.",
  },
  {
    alert: "AlmanacDeliveriesFail",
    expr: 'sum(rate(almanac_delivery_attempt_duration_seconds_count{reason="internal"}[2m])) > 0',
    for: "1m",
    severity: "ticket",
    summary: "Deliveries fail for a reason of Almanac's own",
    advice: "Look in the log. Failures at receivers have other reasons and are shown in the dashboard.",
  },
  {
    alert: "AlmanacCredentialsRejected",
    expr: 'sum by (provider) (rate(almanac_syncs_total{result="credentials_rejected"}[5m])) > 0.1',
    for: "1m",
    severity: "ticket",
    summary: "Many users have to connect again: {{ $labels.provider }}",
    advice: "Check the client secret at the provider.",
  },
  {
    alert: "AlmanacChoreLate",
    expr: "max by (chore) (almanac_chore_age_seconds) > 3 * max by (chore) (almanac_chore_interval_seconds)",
    for: "1m",
    severity: "ticket",
    summary: "A chore isn't done: {{ $labels.chore }}",
    advice:
      "Workers do what is late by twice its interval, whatever drives them, so this one fails. Look for it in the log. Until it is done, data stays that should be erased, or partitions are missing.",
  },
  {
    alert: "AlmanacInngestSilent",
    expr: "min by (instance) (almanac_inngest_round_trip_ok) == 0",
    for: "1m",
    severity: "ticket",
    summary: "No run of Inngest comes back",
    advice:
      "The log says what Inngest's last call was answered with. 401: `INNGEST_SIGNING_KEY` isn't the server's. No call: it doesn't reach the workers at `INNGEST_SERVE_ORIGIN`. Webhooks and syncs go on, and chores are done when they are late.",
  },
];

/** Writes the rules as Prometheus reads them. */
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
