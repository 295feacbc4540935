import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { alertRules, faultAlerts, ruleFile } from "@/server/observability/alert-rules";
import { objectiveAlerts, recordingRules } from "@/server/observability/objectives";
import { promtool } from "./promtool";

const FILE = "server/observability/rules.yml";
const HEAD = "# Alert rules for Prometheus, made from alert-rules.ts beside this file (docs/runbook.md).\n";
const folder = mkdtempSync(join(tmpdir(), "almanac-rules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Scrapes of 15 seconds: five minutes in which all is well, then five with the fault. */
const EVERY_S = 15;
const MINUTES = 5;
const SCRAPES = (MINUTES * 60) / EVERY_S;

/** A series: its value at each scrape while all is well, and with the fault. `stale`: it is no longer there. A growth has a plus before it. */
type Series = [name: string, well: string, fault: string];

const running = (more: Series[]): Series[] => [
  ['up{job="almanac",instance="a"}', "1", "1"],
  ["almanac_ready", "1", "1"],
  ...more,
];
const latency = (name: string, labels: string, [well, fault]: [string, string]): Series[] => [
  [`${name}_bucket{${labels}le="0.1"}`, "+10", well],
  [`${name}_bucket{${labels}le="5"}`, "+10", fault],
  [`${name}_bucket{${labels}le="+Inf"}`, "+10", fault],
];

/** What each rule is for, as the metrics show it. */
const faults: Record<string, Series[]> = {
  AlmanacDown: [['up{job="almanac-web",instance="a"}', "1", "0"]],
  AlmanacAbsent: [
    ['up{job="almanac",instance="a"}', "1", "stale"],
    ["almanac_ready", "1", "stale"],
  ],
  AlmanacNotReady: running([['almanac_not_ready{instance="a",reason="database_away"}', "0", "1"]]),
  AlmanacNoneReady: [
    ['almanac_ready{instance="a"}', "1", "0"],
    ['almanac_ready{instance="b"}', "1", "0"],
  ],
  AlmanacNoWorker: [['almanac_queue_scrape_ok{instance="a"}', "1", "stale"]],
  AlmanacQueuesUnread: [['almanac_queue_scrape_ok{instance="a"}', "1", "0"]],
  AlmanacJobsLate: [['almanac_queue_age_seconds{work="deliver",instance="a"}', "0", "300"]],
  AlmanacSyncsLate: [['almanac_sync_lag_seconds{provider="google"}', "0", "900"]],
  AlmanacSyncsFail: [
    ['almanac_syncs_total{provider="google",result="synced"}', "+10", "+0"],
    ['almanac_syncs_total{provider="google",result="down"}', "+0", "+10"],
  ],
  AlmanacRequestsFail: [
    ['almanac_http_request_duration_seconds_count{endpoint="/v1/events",status="200"}', "+100", "+90"],
    ['almanac_http_request_duration_seconds_count{endpoint="/v1/events",status="503"}', "+0", "+10"],
  ],
  AlmanacSlow: latency("almanac_http_request_duration_seconds", 'endpoint="/v1/events",', ["+5", "+10"]),
  AlmanacRequestsWait: latency("almanac_admission_wait_seconds", 'place="request",', ["+5", "+10"]),
  AlmanacSlotHeld: [['almanac_admission_longest_hold_seconds{place="request",instance="a"}', "0", "20"]],
  AlmanacPoolWaits: [['almanac_database_pool_waiting{instance="a"}', "0", "3"]],
  AlmanacLogLost: [['almanac_log_lines_lost_total{instance="a"}', "0", "+2"]],
  AlmanacHeldUp: [['nodejs_eventloop_lag_p99_seconds{instance="a"}', "0.01", "0.8"]],
  AlmanacMaintenance: [
    ['almanac_maintenance_read_only{instance="a"}', "0", "1"],
    ['almanac_maintenance_applications{instance="a"}', "0", "0"],
  ],
  AlmanacRedisAway: [['almanac_redis_ok{instance="a"}', "1", "0"]],
  AlmanacAlertsUnsent: [['almanac_alert_messages_total{way="email",result="failed",instance="a"}', "0", "+1"]],
  AlmanacDeliveriesFail: [
    ['almanac_delivery_attempt_duration_seconds_count{outcome="retried",reason="internal"}', "+0", "+1"],
  ],
  AlmanacCredentialsRejected: [['almanac_syncs_total{provider="google",result="credentials_rejected"}', "+0", "+15"]],
  AlmanacChoreLate: [
    ['almanac_chore_age_seconds{chore="continue-series",instance="a"}', "100000", "259300"],
    ['almanac_chore_interval_seconds{chore="continue-series",instance="a"}', "86400", "86400"],
  ],
  AlmanacInngestSilent: [['almanac_inngest_round_trip_ok{instance="a"}', "1", "0"]],
};

function values([, well, fault]: Series): string {
  let value = 0;
  const written = (one: string) => {
    if (!one.startsWith("+")) return one;
    value += Number(one);
    return String(value);
  };
  return [...Array(SCRAPES).fill(well), ...Array(SCRAPES).fill(fault)].map(written).join(" ");
}

/** promtool's test of a rule: it doesn't fire while all is well, and fires two minutes after the fault. */
function testOf(alert: string): object {
  const firing = `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0 or vector(0)`;
  const at = (minute: number, value: number) => ({
    expr: firing,
    eval_time: `${minute}m`,
    exp_samples: [{ labels: "{}", value }],
  });
  return {
    name: alert,
    interval: `${EVERY_S}s`,
    input_series: (faults[alert] ?? []).map((one) => ({ series: one[0], values: values(one) })),
    promql_expr_test: [at(MINUTES - 1, 0), at(MINUTES + 2, 1)],
  };
}

function run(alert: string): string {
  cpSync(FILE, join(folder, "rules.yml"));
  const tests = { rule_files: ["rules.yml"], evaluation_interval: `${EVERY_S}s`, tests: [testOf(alert)] };
  writeFileSync(join(folder, `${alert}.yml`), stringify(tests));
  return promtool(folder, "test", "rules", `${alert}.yml`);
}

it("the rule file is what the documentation's table is made from", () => {
  const text = HEAD + stringify(ruleFile(), { lineWidth: 0 });
  if (process.env.RENEW) writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
  expect(parse(text)).toEqual(ruleFile());
});

it("Prometheus accepts the rule file", () => {
  cpSync(FILE, join(folder, "rules.yml"));
  expect(promtool(folder, "check", "rules", "rules.yml")).toContain(
    `${recordingRules.length + alertRules.length} rules found`,
  );
});

it("each rule has a fault that it is for", () => {
  expect(Object.keys(faults).sort()).toEqual(faultAlerts.map(({ alert }) => alert).sort());
});

describe("within two minutes of its fault, and not before, fires", () => {
  it.each(faultAlerts.map(({ alert }) => alert))("%s", (alert) => {
    expect(run(alert)).toContain("SUCCESS");
  });
});

it("without its fault no rule would pass this test", () => {
  const [first] = faultAlerts;
  const kept = faults[first?.alert ?? ""];
  faults[first?.alert ?? ""] = [];
  expect(() => run(first?.alert ?? "")).toThrow();
  faults[first?.alert ?? ""] = kept ?? [];
});

/** A day in which all is well, then what is given, in steps of a minute. */
const WELL_MINUTES = 1_440;
const counted = (series: string, well: number, then: number) => ({
  series,
  values: `0+${well}x${WELL_MINUTES} ${well * WELL_MINUTES}+${then}x${WELL_MINUTES}`,
});
const requests = (status: string) =>
  `almanac_http_request_duration_seconds_count{endpoint="/v1/events",status="${status}"}`;
const failing = (share: number) => [
  counted(requests("200"), 10_000, 10_000 * (1 - share)),
  counted(requests("503"), 0, 10_000 * share),
];
const late = (share: number) => [
  counted('almanac_change_to_webhook_seconds_bucket{le="5"}', 1_000, 1_000 * (1 - share)),
  counted("almanac_change_to_webhook_seconds_count", 1_000, 1_000),
];

function burn(name: string, input_series: object[], at: Record<string, string[]>): string {
  cpSync(FILE, join(folder, "rules.yml"));
  const promql_expr_test = Object.entries(at).map(([after, alerts]) => {
    const [, hours = "0", minutes = "0"] = /^(?:(\d+)h)?(?:(\d+)m)?$/.exec(after) ?? [];
    const eval_time = `${WELL_MINUTES + Number(hours) * 60 + Number(minutes)}m`;
    const exp_samples = alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 }));
    return {
      expr: 'count by (alertname) (ALERTS{alertname=~".*Burns.*",alertstate="firing"})',
      eval_time,
      exp_samples,
    };
  });
  const test = { name, interval: "1m", input_series, promql_expr_test };
  writeFileSync(
    join(folder, `${name}.yml`),
    stringify({ rule_files: ["rules.yml"], evaluation_interval: "1m", tests: [test] }),
  );
  return promtool(folder, "test", "rules", `${name}.yml`);
}

describe("the alerts of objectives", () => {
  it("are fast and slow for each", () => {
    expect(objectiveAlerts.map(({ alert, severity }) => [alert, severity])).toEqual([
      ["AlmanacAvailabilityBurnsFast", "page"],
      ["AlmanacAvailabilityBurnsSlowly", "ticket"],
      ["AlmanacWebhooksBurnsFast", "page"],
      ["AlmanacWebhooksBurnsSlowly", "ticket"],
    ]);
  });

  it("page within five minutes when all requests fail, and end minutes after it", () => {
    const values = `0+10000x${WELL_MINUTES} ${10_000 * WELL_MINUTES}+0x20 ${10_000 * WELL_MINUTES}+10000x60`;
    const errors = `0+0x${WELL_MINUTES} 0+10000x20 210000+0x60`;
    const series = [
      { series: requests("200"), values },
      { series: requests("503"), values: errors },
    ];
    expect(
      burn("outage", series, {
        "0m": [],
        "5m": ["AlmanacAvailabilityBurnsFast"],
        "30m": ["AlmanacAvailabilityBurnsSlowly"],
      }),
    ).toContain("SUCCESS");
  });

  it("page when 2% of requests fail for an hour, and not when 1% do", () => {
    const slow = "AlmanacAvailabilityBurnsSlowly";
    expect(burn("two", failing(0.02), { "10m": [], "1h": ["AlmanacAvailabilityBurnsFast"] })).toContain("SUCCESS");
    expect(burn("one", failing(0.01), { "1h": [], "8h": [slow] })).toContain("SUCCESS");
  });

  it("open a ticket when 0.5% of requests fail for most of a day, and none when 0.2% do", () => {
    const slow = "AlmanacAvailabilityBurnsSlowly";
    expect(burn("half", failing(0.005), { "6h": [], "16h": [slow] })).toContain("SUCCESS");
    expect(burn("little", failing(0.002), { "23h": [] })).toContain("SUCCESS");
  });

  it("don't count what is refused for maintenance", () => {
    const refusals = counted('almanac_maintenance_refusals_total{scope="service",api="v1"}', 0, 5_000);
    expect(burn("maintenance", [...failing(0.5), refusals], { "1h": [], "20h": [] })).toContain("SUCCESS");
  });

  it("are about webhooks, too", () => {
    expect(burn("late", late(0.2), { "10m": [], "1h": ["AlmanacWebhooksBurnsFast"] })).toContain("SUCCESS");
    expect(burn("later", late(0.05), { "6h": [], "16h": ["AlmanacWebhooksBurnsSlowly"] })).toContain("SUCCESS");
    expect(burn("well", late(0.01), { "23h": [] })).toContain("SUCCESS");
  });
});
