import type { AlertRule } from "@/server/observability/alert-rule";

/** Alerts about processes: whether they run, are ready, and have the processor time and the log that they need. */
export const processAlerts: readonly AlertRule[] = [
  {
    alert: "AlmanacDown",
    expr: 'up{job=~"almanac.*"} == 0',
    for: "1m",
    severity: "page",
    summary: "A process can't be scraped",
    users: "Nothing as long as another process has its role. With a single web process, every request fails.",
    first: [
      "`docker compose ps -a` or `kubectl get pods`: has it exited, and with which code? 137 means killed, often for lack of memory.",
      "The last lines of its log, such as `docker compose logs --tail 50 worker`: Almanac says why it doesn't start.",
      "`process_resident_memory_bytes`: did its memory grow before it ended?",
    ],
    advice:
      "It has exited, or its network is broken. Look at its last log line, and check whether it ran out of memory.",
    escalate:
      "If it ends again within minutes of a restart. Go back to the previous version if you have just upgraded.",
  },
  {
    alert: "AlmanacAbsent",
    expr: 'absent(up{job=~"almanac.*"}) or absent(almanac_ready)',
    for: "1m",
    severity: "page",
    summary: "No process is scraped",
    users: "Everything is down, or everything works and only the metrics are missing. The first query below tells.",
    first: [
      "`curl -i $BASE_URL/health`: 200 means that Almanac runs, and only its metrics are missing.",
      "`curl -s http://web-1:9464/metrics | head`, from where Prometheus runs.",
      "Status → Targets in Prometheus: is there a job whose name begins with `almanac`?",
    ],
    advice: "Nothing is running, or Prometheus can't find it. Check `METRICS_PORT`, `METRICS_HOST` and the scrape job.",
    escalate: "At once if `/health` doesn't respond either.",
  },
  {
    alert: "AlmanacNotReady",
    expr: 'max by (instance, reason) (almanac_not_ready{reason!="shutting_down"}) == 1',
    for: "1m",
    severity: "page",
    summary: "A process gets no requests: {{ $labels.reason }}",
    users: "Nothing while other processes are ready. Otherwise requests return 503 with `Retry-After`.",
    first: [
      "`curl -s http://web-1:3000/health/ready`: the reason in a sentence.",
      "`max by (instance, reason) (almanac_not_ready) == 1`: one process, or all of them?",
      "`node server/front-door/doctor.mjs` in a container: checks the database from there.",
    ],
    advice:
      "`database_away` or `database_slow`: check PostgreSQL, the network and the pooler. Don't restart Almanac: it recovers on its own. `migration_missing`: start the new version. `held_up`: add processes.",
    escalate: "To whoever runs PostgreSQL, if the reason is the database and it doesn't come back within 5 minutes.",
  },
  {
    alert: "AlmanacNoneReady",
    expr: "max(almanac_ready) == 0",
    for: "1m",
    severity: "page",
    summary: "No process is ready for requests",
    users: "Every request and page fails with 503. Applications that follow `Retry-After` catch up on their own.",
    first: [
      "`max by (reason) (almanac_not_ready) == 1`: the reason, which is mostly the database.",
      '`psql "$DATABASE_URL" -c "SELECT 1"`, from a machine that runs Almanac.',
      "`curl -i http://web-1:3000/health/live`: 200 means that the process itself is fine.",
    ],
    advice:
      "A load balancer that uses `/health/ready` sends no requests to any process. The reason is in `almanac_not_ready`.",
    escalate: "At once. [Outages](outages.md#when-postgresql-is-away) says what is kept until the database is back.",
  },
  {
    alert: "AlmanacHeldUp",
    expr: "nodejs_eventloop_lag_p99_seconds > 0.5",
    for: "1m",
    severity: "ticket",
    summary: "A process is short of processor time",
    users: "Slow responses from this process. Others are not affected.",
    first: [
      "`rate(process_cpu_seconds_total[2m])`: near 1 means that it uses a whole core.",
      "`sum by (endpoint) (rate(almanac_http_request_duration_seconds_sum[5m]))`: which endpoint takes the time?",
      "`top` on its machine, and the processor limit of its container: throttling looks the same.",
    ],
    advice: "It needs more of its core than it gets. Add processes.",
    escalate: "If adding processes doesn't help, or if one application sends most of the requests.",
  },
  {
    alert: "AlmanacLogLost",
    expr: "increase(almanac_log_lines_lost_total[2m]) > 0",
    for: "30s",
    severity: "ticket",
    summary: "Lines of the log are lost",
    users: "Nothing.",
    first: [
      "`df -h` where the log is written.",
      "`increase(almanac_log_lines_lost_total[15m])`: which process, and how many?",
      "The state of whatever reads its stderr, such as the log driver or shipper.",
    ],
    advice: "They can't be written: the disk or the pipe that receives them is full.",
    escalate: "If the same disk holds the database.",
  },
  {
    alert: "AlmanacRedisAway",
    expr: "min by (instance) (almanac_redis_ok) == 0",
    for: "1m",
    severity: "ticket",
    summary: "Redis doesn't respond",
    users: "Nothing. An application that sends too much may be allowed more than its limit.",
    first: [
      '`redis-cli -u "$REDIS_URL" ping`, from a machine that runs Almanac.',
      "`min by (instance) (almanac_redis_ok)`: one process, or all? One: the network.",
      "`docker compose logs --since 15m web-1 web-2 | grep -i redis`: the error's code.",
    ],
    advice:
      "Start Redis, or repair the network. Until it responds, each process counts requests alone, and asks Redis again every 5 seconds. Almanac needn't be restarted.",
    escalate: "It can wait for the morning. See [Outages](outages.md#when-redis-is-away).",
  },
  {
    alert: "AlmanacAlertsUnsent",
    expr: 'sum by (way) (rate(almanac_alert_messages_total{result="failed"}[5m])) > 0',
    for: "30s",
    severity: "ticket",
    summary: "Alerts can't be sent: {{ $labels.way }}",
    users: "Nothing. Staff and developers don't hear of what they asked to be alerted to.",
    first: [
      "`node server/front-door/doctor.mjs`: does the SMTP server accept the user and the password?",
      "Messages on the dashboard's alerts page: each failed one with its error.",
      "`sum by (way, result) (increase(almanac_alert_messages_total[1h]))`: all of them, or some?",
    ],
    advice:
      "`email`: check `SMTP_URL` and the SMTP server. `webhook`: check the alert's URL. Almanac tries five times, after 1, 5, 15 and 60 minutes, and then gives the message up.",
    escalate:
      "Within an hour: after that the first messages are given up. See [Outages](outages.md#when-smtp-is-away).",
  },
  {
    alert: "AlmanacMaintenance",
    expr: "max(almanac_maintenance_read_only) == 1 or max(almanac_maintenance_applications) > 0",
    for: "1m",
    severity: "info",
    summary: "Requests are refused for maintenance",
    users: "Their application can't change anything, or can't reach Almanac at all. They can't connect calendars.",
    first: [
      "Maintenance in the dashboard, or `npm run maintenance -- status`: what is on, since when, who turned it on and why.",
      "`max(almanac_maintenance_read_only)` and `max(almanac_maintenance_applications)`: the service, or applications?",
      "`sum by (scope) (rate(almanac_maintenance_refusals_total[5m]))`: how many requests are refused?",
    ],
    advice: "End it when the work is done. The other alerts don't count what is refused for it.",
    escalate: "To whoever turned it on, if it lasts longer than announced.",
  },
];
