import type { AlertRule } from "@/server/observability/alert-rule";

/** A promise about a share of what is measured, over thirty days. */
export interface Objective {
  id: string;
  /** Begins the names of its alerts. */
  alert: string;
  name: string;
  /** The part that has to be good. */
  target: number;
  /** Builds the PromQL of the bad ones' share within a window such as `5m`. */
  badShare(window: string): string;
  users: string;
  /** What to look at first, as Markdown. */
  first: AlertRule["first"];
  advice: string;
}

/** A webhook has begun within so many seconds of its change, as a bucket of the histogram is named. */
export const WEBHOOK_WITHIN_S = 5;

const REQUESTS = 'almanac_http_request_duration_seconds_count{endpoint=~"/v1/.*"';
const REFUSALS = 'almanac_maintenance_refusals_total{api="v1"}';
const WEBHOOKS = "almanac_change_to_webhook_seconds";

export const objectives: readonly Objective[] = [
  {
    id: "api_errors",
    alert: "AlmanacAvailability",
    name: "Of requests to `/v1`, 99.9% get a response other than 5xx",
    target: 0.999,
    // What maintenance refuses is a 503 on purpose.
    badShare: (window) =>
      `clamp_min((sum(rate(${REQUESTS},status=~"5.."}[${window}])) or vector(0)) - (sum(rate(${REFUSALS}[${window}])) or vector(0)), 0) / sum(rate(${REQUESTS}}[${window}]))`,
    users: "Errors in the applications. Those that retry on 503 recover on their own.",
    first: [
      '`sum by (status) (rate(almanac_http_request_duration_seconds_count{endpoint=~"/v1/.*",status=~"5.."}[5m]))`: 503 or 500?',
      '`topk(5, sum by (endpoint) (rate(almanac_http_request_duration_seconds_count{status=~"5.."}[1h])))`: one endpoint, or all?',
      "`max by (reason) (almanac_not_ready) == 1`: is a process not ready?",
    ],
    advice: "Find the alert that fires beside it. If there is none, group the requests in the dashboard by error.",
  },
  {
    id: "late_webhooks",
    alert: "AlmanacWebhooks",
    name: `Of webhooks about a change, 99% are first sent within ${WEBHOOK_WITHIN_S} seconds of it`,
    target: 0.99,
    badShare: (window) =>
      `1 - sum(rate(${WEBHOOKS}_bucket{le="${WEBHOOK_WITHIN_S}"}[${window}])) / sum(rate(${WEBHOOKS}_count[${window}]))`,
    users: "Applications learn of changes late.",
    first: [
      "`histogram_quantile(0.99, sum by (le) (rate(almanac_change_to_webhook_seconds_bucket[5m])))`: how late?",
      "`histogram_quantile(0.99, sum by (le, work) (rate(almanac_queue_wait_seconds_bucket[5m])))`: `notify` or `deliver`?",
      "Endpoints in the dashboard, failing first: a slow receiver makes its own webhooks wait.",
    ],
    advice: "Check that workers are running, then add workers. If a single receiver is slow, pause its endpoint.",
  },
];

interface Burn extends Pick<AlertRule, "severity" | "escalate"> {
  suffix: string;
  /** How many times too fast. */
  rate: number;
  long: string;
  short: string;
}

/** How fast a budget is used up, and how that is told: over a long window, and a short one that ends the alert. */
const burns: readonly Burn[] = [
  {
    ...{ suffix: "BurnsFast", rate: 14.4, long: "1h", short: "5m", severity: "page" },
    escalate: "At once, if it goes on for 15 minutes: a day of this uses half of the budget of 30 days.",
  },
  {
    ...{ suffix: "BurnsSlowly", rate: 3, long: "1d", short: "2h", severity: "ticket" },
    escalate: "Within three days. By then a third of the budget of 30 days is used.",
  },
];

/** The windows of the recorded shares. */
const windows = ["5m", "1h", "2h", "1d"] as const;
const recorded = ({ id }: Objective, window: string) => `almanac:${id}:ratio_rate${window}`;

/** Lists the recording rules, by which dashboards and alerts have the shares at hand. */
export const recordingRules = objectives.flatMap((objective) =>
  windows.map((window) => ({ record: recorded(objective, window), expr: objective.badShare(window) })),
);

/** Alerts about the objectives, each with two windows ("Alerting on SLOs" in Google's SRE workbook). */
export const objectiveAlerts: readonly AlertRule[] = objectives.flatMap((objective) =>
  burns.map(({ suffix, rate, long, short, severity, escalate }): AlertRule => {
    const bad = Number((rate * (1 - objective.target)).toFixed(6));
    const exceeds = (window: string) => `${recorded(objective, window)} > ${bad}`;
    return {
      alert: `${objective.alert}${suffix}`,
      expr: `${exceeds(long)} and ${exceeds(short)}`,
      for: "1m",
      severity,
      summary: `${objective.name.replaceAll("`", "")}: the budget of 30 days is used up ${rate} times too fast`,
      users: objective.users,
      first: objective.first,
      advice: objective.advice,
      escalate,
    };
  }),
);
