import type { AlertRule } from "@/server/observability/alert-rule";

/** Alerts about background work: who does it, whether it is late, and whether chores and Inngest's runs come to an end. */
export const queueAlerts: readonly AlertRule[] = [
  {
    alert: "AlmanacNoWorker",
    expr: "absent(almanac_queue_scrape_ok)",
    for: "1m",
    severity: "page",
    summary: "No process does background jobs",
    users: "Requests work. Webhooks don't arrive, calendars aren't synced, and events don't reach providers.",
    first: [
      "`docker compose ps -a worker` or `kubectl get pods -l app.kubernetes.io/component=worker`.",
      "The last lines of its log: why has it ended?",
      '`up{job=~"almanac.*"}`: is the worker among what is scraped?',
    ],
    advice: "Webhooks, syncs and writes to providers are waiting. Start a process with `ALMANAC_ROLE=worker`.",
    escalate: "If a worker doesn't stay up. Nothing is lost in the meantime: the work waits in the database.",
  },
  {
    alert: "AlmanacQueuesUnread",
    expr: "max(almanac_queue_scrape_ok) == 0",
    for: "1m",
    severity: "page",
    summary: "No worker can read its queues",
    users: "As for a database that is away: 503 for requests, and no webhooks.",
    first: [
      "`max by (instance, reason) (almanac_not_ready) == 1`.",
      '`psql "$DATABASE_URL" -c "SELECT state, wait_event_type, count(*) FROM pg_stat_activity GROUP BY 1, 2"`: locks, or no free connection?',
      "`almanac_database_pool_waiting`: do jobs wait for a connection?",
    ],
    advice:
      "The number of waiting jobs is unknown because the database doesn't respond. Check PostgreSQL and the network.",
    escalate: "To whoever runs PostgreSQL, after 5 minutes.",
  },
  {
    alert: "AlmanacJobsLate",
    expr: "max by (work) (almanac_queue_age_seconds) >= 300",
    for: "1m",
    severity: "page",
    summary: "Jobs are 5 minutes late: {{ $labels.work }}",
    users: "Webhooks arrive late (`notify`, `deliver`), or events reach calendars late (`push`).",
    first: [
      "`max by (work) (almanac_queue_depth)`: does it grow or shrink?",
      "`max by (work) (almanac_queue_age_seconds)` beside `sum by (work) (rate(almanac_queue_wait_seconds_count[5m]))`: is anything being taken at all?",
      "Endpoints in the dashboard, failing first: deliveries of one slow receiver wait without harm to others.",
    ],
    advice:
      "Check that workers are running, then add workers or slots. Deliveries also wait for a receiver that is slow or down: the dashboard shows which.",
    escalate: "If the depth still grows 15 minutes after you have added a worker.",
  },
  {
    alert: "AlmanacDeliveriesFail",
    expr: 'sum(rate(almanac_delivery_attempt_duration_seconds_count{reason="internal"}[2m])) > 0',
    for: "1m",
    severity: "ticket",
    summary: "Deliveries fail because of an error in Almanac",
    users: "Some webhooks arrive later: they are attempted again.",
    first: [
      "`docker compose logs --since 15m worker | grep 'could not be attempted'`: the error.",
      "`sum by (reason) (rate(almanac_delivery_attempt_duration_seconds_count[5m]))`: how many, beside other reasons?",
      "`node server/front-door/doctor.mjs`: can the keys still be read?",
    ],
    advice: "Look in the log. Failures at receivers have other reasons and are shown in the dashboard.",
    escalate:
      "If the doctor says that keys can't be read, or within a day: after 10 attempts, deliveries fail for good.",
  },
  {
    alert: "AlmanacChoreLate",
    expr: "max by (chore) (almanac_chore_age_seconds) > 3 * max by (chore) (almanac_chore_interval_seconds)",
    for: "1m",
    severity: "ticket",
    summary: "A scheduled job doesn't run: {{ $labels.chore }}",
    users: "Nothing at first.",
    first: [
      "`max by (chore) (almanac_chore_age_seconds)`: one job, or all of them? All: no worker gets to them.",
      '`docker compose logs --since 1h worker | grep \'"level":"error"\'`: look for its name.',
      "`node server/front-door/doctor.mjs`: the line of scheduled jobs names those that are late.",
    ],
    advice:
      "Workers run a scheduled job that is late by twice its interval, with or without Inngest, so this one fails. Look for it in the log. Until it runs, data is kept that should be erased, or partitions are missing.",
    escalate: "Within a day: partitions are made three days ahead.",
  },
  {
    alert: "AlmanacInngestSilent",
    expr: "min by (instance) (almanac_inngest_round_trip_ok) == 0",
    for: "1m",
    severity: "ticket",
    summary: "No Inngest run comes back",
    users: "Nothing: workers take over.",
    first: [
      "`docker compose logs --since 15m worker | grep -i inngest`: the status code of Inngest's last call.",
      "`curl -i $INNGEST_BASE_URL/health`: does the server run?",
      "`node server/front-door/doctor.mjs`: the lines of Inngest.",
    ],
    advice:
      "The log has the status code of the response to Inngest's last call. 401: `INNGEST_SIGNING_KEY` doesn't match the server's. No call: it can't reach the workers at `INNGEST_SERVE_ORIGIN`. Workers run webhooks and syncs themselves until a run comes back, and scheduled jobs once they are late.",
    escalate: "It can wait for the morning. See [Outages](outages.md#when-inngest-is-away).",
  },
];
