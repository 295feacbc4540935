import { objectives } from "@/server/observability/objectives";

/** A query of a panel, and the name of its lines. */
interface Line {
  expr: string;
  legend: string;
}

export interface Panel {
  title: string;
  about: string;
  unit: "s" | "percentunit" | "reqps" | "ops" | "short" | "bytes" | "bool";
  lines: readonly Line[];
  /** Drawn as a number. Omitted: over time. */
  isNumber?: true;
  /** Of a number: from here on it is red. */
  bad?: number;
}

interface Row {
  title: string;
  panels: readonly Panel[];
}

const REQUESTS = 'almanac_http_request_duration_seconds_count{endpoint=~"/v1/.*"';
const line = (legend: string, expr: string): Line => ({ legend, expr });
const perSecond = (metric: string, by: string) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
const quantile = (share: number, metric: string, by = "") =>
  `histogram_quantile(${share}, sum by (le${by && `, ${by}`}) (rate(${metric}[$__rate_interval])))`;

/** The rows of the dashboard, from what users notice to what causes it. */
export const dashboardRows: readonly Row[] = [
  {
    title: "Objectives",
    panels: [
      ...objectives.map(({ id, name, target }): Panel => {
        const budget = Number((1 - target).toFixed(6));
        return {
          ...{ title: name, about: "Share of bad ones in the last day. Red: more than the objective allows." },
          ...{ unit: "percentunit", isNumber: true, bad: budget },
          lines: [line("last day", `almanac:${id}:ratio_rate1d`), line("last hour", `almanac:${id}:ratio_rate1h`)],
        };
      }),
      {
        ...{ title: "Processes not ready", about: "By reason. The runbook says what to do.", unit: "short" },
        lines: [line("{{instance}} {{reason}}", "max by (instance, reason) (almanac_not_ready) == 1")],
      },
    ],
  },
  {
    title: "API",
    panels: [
      {
        ...{ title: "Requests by status code", about: "All processes.", unit: "reqps" },
        lines: [line("{{status}}", perSecond("almanac_http_request_duration_seconds_count", "status"))],
      },
      {
        ...{ title: "Latency of /v1", about: "Of all endpoints together.", unit: "s" },
        lines: [0.5, 0.95, 0.99].map((share) =>
          line(`p${share * 100}`, quantile(share, 'almanac_http_request_duration_seconds_bucket{endpoint=~"/v1/.*"}')),
        ),
      },
      {
        ...{ title: "Slowest endpoints, p95", about: "The ten slowest.", unit: "s" },
        lines: [
          line(
            "{{endpoint}}",
            `topk(10, ${quantile(0.95, 'almanac_http_request_duration_seconds_bucket{endpoint=~"/v1/.*"}', "endpoint")})`,
          ),
        ],
      },
      {
        ...{ title: "Errors by endpoint", about: "5xx responses.", unit: "reqps" },
        lines: [
          line(
            "{{endpoint}} {{status}}",
            `sum by (endpoint, status) (rate(${REQUESTS},status=~"5.."}[$__rate_interval]))`,
          ),
        ],
      },
      {
        ...{ title: "Rate-limited requests", about: "429 responses.", unit: "reqps" },
        lines: [line("{{endpoint}}", `sum by (endpoint) (rate(${REQUESTS},status="429"}[$__rate_interval]))`)],
      },
      {
        ...{ title: "Refused for maintenance", about: "Of the service, or of an application.", unit: "reqps" },
        lines: [line("{{scope}}", perSecond("almanac_maintenance_refusals_total", "scope"))],
      },
      {
        ...{ title: "Waiting for a turn", about: "Requests in the queue in front of the database.", unit: "short" },
        lines: [line("{{instance}} {{place}}", "sum by (instance, place) (almanac_admission_waiting)")],
      },
    ],
  },
  {
    title: "Webhooks and queues",
    panels: [
      {
        ...{ title: "From a change to its webhook", about: "The first attempt, not its response.", unit: "s" },
        lines: [0.5, 0.99].map((share) =>
          line(`p${share * 100}`, quantile(share, "almanac_change_to_webhook_seconds_bucket")),
        ),
      },
      {
        ...{ title: "Attempts by outcome", about: "Retried ones are attempted again.", unit: "ops" },
        lines: [
          line(
            "{{outcome}} {{reason}}",
            perSecond("almanac_delivery_attempt_duration_seconds_count", "outcome, reason"),
          ),
        ],
      },
      {
        ...{ title: "Receivers' latency, p95", about: "Of attempts, by outcome.", unit: "s" },
        lines: [line("{{outcome}}", quantile(0.95, "almanac_delivery_attempt_duration_seconds_bucket", "outcome"))],
      },
      {
        ...{ title: "Jobs due", about: "10,000 at most.", unit: "short" },
        lines: [line("{{work}}", "max by (work) (almanac_queue_depth)")],
      },
      {
        ...{ title: "Age of the oldest due job", about: "In steps.", unit: "s" },
        lines: [line("{{work}}", "max by (work) (almanac_queue_age_seconds)")],
      },
      {
        ...{ title: "Due until taken, p99", about: "How late workers are.", unit: "s" },
        lines: [line("{{work}}", quantile(0.99, "almanac_queue_wait_seconds_bucket", "work"))],
      },
    ],
  },
  {
    title: "Providers",
    panels: [
      {
        ...{ title: "Syncs by result", about: "Of calendar accounts.", unit: "ops" },
        lines: [line("{{provider}} {{result}}", perSecond("almanac_syncs_total", "provider, result"))],
      },
      {
        ...{ title: "Oldest due sync", about: "In steps.", unit: "s" },
        lines: [line("{{provider}}", "max by (provider) (almanac_sync_lag_seconds)")],
      },
      {
        ...{ title: "Writes by result", about: "Attempts to write an event to its provider.", unit: "ops" },
        lines: [line("{{provider}} {{result}}", perSecond("almanac_provider_writes_total", "provider, result"))],
      },
    ],
  },
  {
    title: "Database",
    panels: [
      {
        ...{ title: "Connections", about: "Of each process's pool.", unit: "short" },
        lines: [line("{{instance}} {{state}}", "sum by (instance, state) (almanac_database_connections)")],
      },
      {
        ...{ title: "Waiting for a connection", about: "Requests and jobs.", unit: "short" },
        lines: [line("{{instance}}", "sum by (instance) (almanac_database_pool_waiting)")],
      },
      {
        ...{ title: "Longest hold of a slot", about: "Red in the alerts from 10 seconds on.", unit: "s" },
        lines: [line("{{instance}} {{place}}", "max by (instance, place) (almanac_admission_longest_hold_seconds)")],
      },
    ],
  },
  {
    title: "Inngest and scheduled jobs",
    panels: [
      {
        ...{ title: "Runs come back", about: "1 if the last one did. Empty without an Inngest server.", unit: "bool" },
        lines: [line("{{instance}}", "min by (instance) (almanac_inngest_round_trip_ok)")],
      },
      {
        ...{ title: "Last run that came back", about: "How long ago.", unit: "s" },
        lines: [line("{{instance}}", "max by (instance) (almanac_inngest_run_age_seconds)")],
      },
      {
        ...{ title: "Lateness of scheduled jobs", about: "Their age in intervals. Alerts begin at 3.", unit: "short" },
        lines: [
          line(
            "{{chore}}",
            "max by (chore) (almanac_chore_age_seconds) / max by (chore) (almanac_chore_interval_seconds)",
          ),
        ],
      },
    ],
  },
  {
    title: "Processes",
    panels: [
      {
        ...{ title: "Versions", about: "Processes by what they run.", unit: "short" },
        lines: [line("{{version}} {{commit}}", "count by (version, commit) (almanac_build_info)")],
      },
      {
        ...{ title: "Processor time", about: "Cores.", unit: "short" },
        lines: [line("{{instance}}", perSecond("process_cpu_seconds_total", "instance"))],
      },
      {
        ...{ title: "Memory", about: "Resident.", unit: "bytes" },
        lines: [line("{{instance}}", "max by (instance) (process_resident_memory_bytes)")],
      },
      {
        ...{ title: "Event loop, p99", about: "Above 0.5 s a process is short of processor time.", unit: "s" },
        lines: [line("{{instance}}", "max by (instance) (nodejs_eventloop_lag_p99_seconds)")],
      },
      {
        ...{
          title: "Redis answers",
          about: "0: this process counts requests alone. Empty without Redis.",
          unit: "bool",
        },
        lines: [line("{{instance}}", "min by (instance) (almanac_redis_ok)")],
      },
      {
        ...{ title: "Alerts sent", about: "To staff and developers, by email and webhook.", unit: "ops" },
        lines: [line("{{way}} {{result}}", perSecond("almanac_alert_messages_total", "way, result"))],
      },
      {
        ...{ title: "Lost log lines", about: "They could not be written.", unit: "ops" },
        lines: [line("{{instance}}", perSecond("almanac_log_lines_lost_total", "instance"))],
      },
    ],
  },
];

/** Lists the queries of all panels. */
export const dashboardQueries = dashboardRows.flatMap(({ panels }) =>
  panels.flatMap(({ lines }) => lines.map(({ expr }) => expr)),
);
