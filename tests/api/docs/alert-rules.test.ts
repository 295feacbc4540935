import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { alertRules, ruleFile } from "@/server/observability/alert-rules";
import { findLanguage } from "./languages.mjs";

const FILE = "server/observability/rules.yml";
const HEAD = "# Alert rules for Prometheus, made from alert-rules.ts beside this file (docs/alerts.md).\n";
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

function promtool(...parameters: string[]): string {
  const path = findLanguage("promtool");
  if (!path)
    throw new Error(
      "promtool is missing: npm run test:all -- --install fetches it from Debian's packages (tests/api/docs/languages.mjs).",
    );
  return execFileSync(path, parameters, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function run(alert: string): string {
  cpSync(FILE, join(folder, "rules.yml"));
  const tests = { rule_files: ["rules.yml"], evaluation_interval: `${EVERY_S}s`, tests: [testOf(alert)] };
  writeFileSync(join(folder, `${alert}.yml`), stringify(tests));
  return promtool("test", "rules", `${alert}.yml`);
}

it("the rule file is what the documentation's table is made from", () => {
  const text = HEAD + stringify(ruleFile(), { lineWidth: 0 });
  if (process.env.RENEW) writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
  expect(parse(text)).toEqual(ruleFile());
});

it("Prometheus accepts the rule file", () => {
  cpSync(FILE, join(folder, "rules.yml"));
  expect(promtool("check", "rules", "rules.yml")).toContain(`${alertRules.length} rules found`);
});

it("each rule has a fault that it is for", () => {
  expect(Object.keys(faults)).toEqual(alertRules.map(({ alert }) => alert));
});

describe("within two minutes of its fault, and not before, fires", () => {
  it.each(alertRules.map(({ alert }) => alert))("%s", (alert) => {
    expect(run(alert)).toContain("SUCCESS");
  });
});

it("without its fault no rule would pass this test", () => {
  const [first] = alertRules;
  const kept = faults[first?.alert ?? ""];
  faults[first?.alert ?? ""] = [];
  expect(() => run(first?.alert ?? "")).toThrow();
  faults[first?.alert ?? ""] = kept ?? [];
});
