import { code, type Section } from "@/components/docs/guide";
import { alertRules } from "@/server/observability/alert-rules";

export const alerts: Section = {
  id: "alerts",
  title: "Metrics and alerts",
  blocks: [
    "Set `METRICS_PORT` to serve metrics in Prometheus's text format at `/metrics`, on a port of their own without authentication. `METRICS_HOST` is the address to bind to, 127.0.0.1 by default. Labels contain no ids, addresses or event text. Every worker reports the same depths and ages of queues, so take the maximum. The histogram `almanac_queue_wait_seconds` shows how long changes (`notify`), deliveries, syncs and provider writes were due before a worker picked them up.",
    "The rules below are in `server/observability/rules.yml`, in the repository and in the image. Each fires within two minutes of its fault, which is tested with Prometheus's own promtool. Name the scrape jobs `almanac`, or with that beginning, and scrape every 15 seconds.",
    code("text", "In prometheus.yml", [
      "rule_files: [rules.yml]",
      "scrape_configs:",
      "  - job_name: almanac",
      "    scrape_interval: 15s",
      "    static_configs: [{ targets: [web-1:9464, web-2:9464, worker-1:9464] }]",
    ]),
    [
      "| Alert | When | For | What to do |",
      "|---|---|---|---|",
      ...alertRules.map(
        ({ alert, expr, for: lasting, severity, advice }) =>
          `| \`${alert}\` (${severity}) | \`${expr}\` | ${lasting} | ${advice} |`,
      ),
    ].join("\n"),
    "A `page` is for whoever is on call, a `ticket` can wait for the morning. Queue ages are reported in steps: 0, 5, 15, 60 and 300 seconds, 15 minutes, and 1, 4 and 24 hours. `almanac_ready` is 1 exactly while `/health/ready` returns 200, and `almanac_not_ready` has the reason otherwise. Also alert when the disk of the database is nearly full.",
    "Almanac itself alerts to what goes wrong outside of it: endpoints that fail, accounts that disconnect, and providers that don't respond. Switch these on in the dashboard under Operators → Alerts. Developers do the same for their own application, in its Alerts tab. For email, set `SMTP_URL` (`smtps://user:password@smtp.example.com`) and `SMTP_FROM`. Webhooks carry `Svc-Signature` and `Svc-Delivery-Id` like notifications, and what is not accepted is sent up to five times. Of the same condition you get one alert in its quiet time, and one when it is over.",
  ],
};
