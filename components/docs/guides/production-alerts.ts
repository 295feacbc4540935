import type { Section } from "@/components/docs/guide";

/** A condition in Prometheus's language, for how long it has to hold, and what to do. */
interface Alert {
  condition: string;
  lasting: string;
  advice: string;
}

const rules: readonly Alert[] = [
  {
    condition: "max by (work) (almanac_queue_age_seconds) >= 300",
    lasting: "5 minutes",
    advice:
      "Jobs wait too long. Check that workers run, then add workers or slots. Deliveries also wait for a receiver that is slow or down: the dashboard shows which.",
  },
  {
    condition: "max by (provider) (almanac_sync_lag_seconds) >= 900",
    lasting: "10 minutes",
    advice:
      "Syncs of one provider are due and no worker begins them. Check that workers run, then add workers or `SYNC_SLOTS`: one provider gets half of them.",
  },
  {
    condition:
      'sum by (provider) (rate(almanac_syncs_total{result!="synced"}[15m])) / sum by (provider) (rate(almanac_syncs_total[15m])) > 0.5',
    lasting: "30 minutes",
    advice:
      "Most syncs at one provider fail, so calendars are out of date: it may be down or throttle you. The dashboard shows the last error of each account.",
  },
  {
    condition:
      'sum(rate(almanac_http_request_duration_seconds_count{status=~"5.."}[5m])) / sum(rate(almanac_http_request_duration_seconds_count[5m])) > 0.01',
    lasting: "5 minutes",
    advice: "More than 1% of requests fail. 503 is overload: add web processes. Otherwise look in the log.",
  },
  {
    condition:
      'histogram_quantile(0.99, sum by (le) (rate(almanac_http_request_duration_seconds_bucket{endpoint=~"/v1/.*"}[5m]))) > 1',
    lasting: "10 minutes",
    advice: "The API is slow. Compare `almanac_database_pool_waiting` and the event loop below.",
  },
  {
    condition: "almanac_database_pool_waiting > 0",
    lasting: "5 minutes",
    advice: "The pool is too small, or the database is slow.",
  },
  {
    condition: "max by (queue) (almanac_admission_longest_hold_seconds) > 10",
    lasting: "1 minute",
    advice:
      "A request holds its slot at the database, or for a large body, for that long. After 30 seconds others go ahead, and the log names its application.",
  },
  {
    condition: "nodejs_eventloop_lag_p99_seconds > 0.5",
    lasting: "5 minutes",
    advice: "The process needs its core for longer than it has it. Add processes.",
  },
  {
    condition: 'sum(rate(almanac_delivery_attempt_duration_seconds_count{reason="internal"}[15m])) > 0',
    lasting: "15 minutes",
    advice:
      "Deliveries fail for a reason of Almanac's own. Look in the log. Failures at receivers have other reasons and are shown in the dashboard.",
  },
  {
    condition: 'sum(rate(almanac_syncs_total{result="credentials_rejected"}[1h])) > 0.1',
    lasting: "1 hour",
    advice: "Many users have to connect again. If it is one provider, check the client secret there.",
  },
  {
    condition: "increase(almanac_log_lines_lost_total[15m]) > 0",
    lasting: "1 minute",
    advice: "Lines of the log are dropped: its disk is full, or whatever reads it has stopped. Requests go on.",
  },
  {
    condition: "almanac_ready == 0",
    lasting: "10 minutes",
    advice: "A process can't keep up. During a shutdown it is 0 too, until the port of the metrics closes.",
  },
];

export const alerts: Section = {
  id: "alerts",
  title: "Metrics and alerts",
  blocks: [
    "Set `METRICS_PORT` to serve metrics in Prometheus's text format at `/metrics`, on a port of their own without authentication. `METRICS_HOST` is the address to bind to, 127.0.0.1 by default. Labels contain no ids, addresses or event text. Every worker reports the same depths and ages of queues, so take the maximum. The histogram `almanac_queue_wait_seconds` shows how long changes (`notify`), deliveries, syncs and provider writes were due before a worker picked them up.",
    [
      "| Alert when | For | What to do |",
      "|---|---|---|",
      ...rules.map(({ condition, lasting, advice }) => `| \`${condition}\` | ${lasting} | ${advice} |`),
    ].join("\n"),
    "Queue ages are reported in steps: 0, 5, 15, 60 and 300 seconds, 15 minutes, and 1, 4 and 24 hours. Also alert when no process can be scraped, and when the disk of the database is nearly full.",
    "Almanac itself alerts to what goes wrong outside of it: endpoints that fail, accounts that disconnect, and providers that don't respond. Switch these on in the dashboard under Operators → Alerts. Developers do the same for their own application, in its Alerts tab. For email, set `SMTP_URL` (`smtps://user:password@smtp.example.com`) and `SMTP_FROM`. Webhooks carry `Svc-Signature` and `Svc-Delivery-Id` like notifications, and what is not accepted is sent up to five times. Of the same condition you get one alert in its quiet time, and one when it is over.",
  ],
};
