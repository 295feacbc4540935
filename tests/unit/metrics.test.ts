import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { readEnv } from "@/server/env";
import { openMetrics } from "@/server/front-door/metrics/registry";
import { serveMetrics } from "@/server/front-door/metrics/server";
import { pageKind } from "@/server/front-door/page-kind";
import { unreadiness } from "@/server/http/health";
import { meters } from "@/server/meters";
import { alertRules } from "@/server/observability/alert-rules";
import { dashboardQueries } from "@/server/observability/dashboard";
import { queriedMetrics, scrapedLabels } from "@/tests/fakes/queried-metrics";

const observed = {
  pool: { total: 1, idle: 1, waiting: 0 },
  queues: [{ work: "deliver", provider: "", depth: 0, age: null }],
  chores: [{ id: "close-visits", age: 60, everyS: 3_600 }],
  admission: { request: 0, large_body: 0 },
  longestHolds: {},
  logLinesLost: 0,
  notReady: null,
};

/** The value of a sample; undefined: there is none. */
const sample = (text: string, name: string) =>
  text
    .split("\n")
    .find((one) => one.startsWith(`${name} `))
    ?.slice(name.length + 1);

it("without METRICS_PORT nothing is measured", async () => {
  const end = await serveMetrics(readEnv({}));
  expect(meters()).toBeUndefined();
  await end();
});

it.each([
  ["/", "/"],
  ["/dashboard/accounts/acc_1", "/dashboard"],
  ["/oauth/callback/google", "/oauth/callback"],
  ["/dashboards", "other"],
  ["/wp-login.php", "other"],
])("%s is counted as %s", (path, kind) => {
  expect(pageKind(path)).toBe(kind);
});

it("how long jobs had been due is in seconds", async () => {
  const { meters, text } = await openMetrics();
  meters.wait({ work: "sync", ms: 2_500 });
  const scrape = await text(observed);
  expect(scrape).toContain('almanac_queue_wait_seconds_sum{work="sync"} 2.5\n');
  expect(scrape).toContain('almanac_queue_wait_seconds_bucket{le="1",work="sync"} 0\n');
  expect(scrape).toContain('almanac_queue_wait_seconds_bucket{le="2.5",work="sync"} 1\n');
});

describe("a process that is not ready", () => {
  it("has 0, and 1 for its reason alone", async () => {
    const { text } = await openMetrics();
    const away = await text({ ...observed, notReady: "database_away" });
    expect(sample(away, "almanac_ready")).toBe("0");
    for (const reason of Object.keys(unreadiness)) {
      expect(sample(away, `almanac_not_ready{reason="${reason}"}`)).toBe(reason === "database_away" ? "1" : "0");
    }
    const back = await text(observed);
    expect(sample(back, "almanac_ready")).toBe("1");
    expect(sample(back, 'almanac_not_ready{reason="database_away"}')).toBe("0");
  });
});

it("the lag of syncs is there by provider", async () => {
  const { text } = await openMetrics();
  const scrape = await text({ ...observed, queues: [{ work: "sync", provider: "google", depth: null, age: 12 }] });
  expect(sample(scrape, 'almanac_sync_lag_seconds{provider="google"}')).toBe("12");
});

describe("queues that could not be read", () => {
  it("are told from those of a process without background jobs", async () => {
    const { text } = await openMetrics();
    expect(sample(await text(observed), "almanac_queue_scrape_ok")).toBe("1");
    const unread = await text({ ...observed, queues: null });
    expect(sample(unread, "almanac_queue_scrape_ok")).toBe("0");
    expect(unread).not.toContain("almanac_queue_age_seconds{");
    expect(sample(await text({ ...observed, queues: undefined }), "almanac_queue_scrape_ok")).toBeUndefined();
  });
});

it("chores have their age beside their interval", async () => {
  const text = await (await openMetrics()).text(observed);
  expect(sample(text, 'almanac_chore_age_seconds{chore="close-visits"}')).toBe("60");
  expect(sample(text, 'almanac_chore_interval_seconds{chore="close-visits"}')).toBe("3600");
});

it("the way back from Inngest is there only where there is an Inngest server", async () => {
  const { text } = await openMetrics();
  expect(sample(await text(observed), "almanac_inngest_round_trip_ok")).toBeUndefined();
  const failed = await text({ ...observed, roundTrip: { isOk: false, ms: 30_000 } });
  expect(sample(failed, "almanac_inngest_round_trip_ok")).toBe("0");
  expect(sample(failed, "almanac_inngest_run_age_seconds")).toBe("30");
});

it("budgets of requests to providers are there by provider, and go with the database", async () => {
  const { text } = await openMetrics();
  const google = {
    ...{ quota: "google", applicationId: null, clientId: null },
    limit: 10_000,
    allowed: 5_000,
    remaining: 120,
  };
  const own = { ...google, applicationId: "app_1", clientId: "1.apps.example", remaining: 7 };
  const scrape = await text({ ...observed, budgets: [google, own] });
  expect(sample(scrape, 'almanac_provider_budget_limit{provider="google"}')).toBe("10000");
  expect(sample(scrape, 'almanac_provider_budget_allowed{provider="google"}')).toBe("5000");
  expect(sample(scrape, 'almanac_provider_budget_remaining{provider="google"}')).toBe("120");
  const labels = 'provider="google",application="app_1",client="1.apps.example"';
  expect(sample(scrape, `almanac_provider_budget_remaining{${labels}}`)).toBe("7");
  expect(await text({ ...observed, budgets: null })).not.toContain("almanac_provider_budget_limit{");
});

it("Redis is there only where processes count in common", async () => {
  const { text } = await openMetrics();
  expect(sample(await text(observed), "almanac_redis_ok")).toBeUndefined();
  expect(sample(await text({ ...observed, isRedisOk: false }), "almanac_redis_ok")).toBe("0");
  expect(sample(await text({ ...observed, isRedisOk: true }), "almanac_redis_ok")).toBe("1");
});

it("maintenance is there, with what it refuses, from 0 on", async () => {
  const { meters, text } = await openMetrics();
  expect(sample(await text(observed), "almanac_maintenance_read_only")).toBe("0");
  meters.refusedForMaintenance({ scope: "application", api: "v1" });
  context.maintenance = new Map([
    ["service", { since: 0, endsAt: null }],
    ["app_1", { since: 0, endsAt: null }],
    ["app_2", { since: 0, endsAt: 1 }],
  ]);
  const scrape = await text(observed);
  context.maintenance = undefined;
  expect(sample(scrape, "almanac_maintenance_read_only")).toBe("1");
  expect(sample(scrape, "almanac_maintenance_applications")).toBe("1");
  expect(sample(scrape, 'almanac_maintenance_refusals_total{scope="application",api="v1"}')).toBe("1");
  expect(sample(scrape, 'almanac_maintenance_refusals_total{scope="service",api="v1"}')).toBe("0");
});

it("alerts that were sent and that failed are counted from 0 on", async () => {
  const { meters, text } = await openMetrics();
  meters.alertMessage({ way: "email", result: "failed" });
  const scrape = await text(observed);
  expect(sample(scrape, 'almanac_alert_messages_total{way="email",result="failed"}')).toBe("1");
  expect(sample(scrape, 'almanac_alert_messages_total{way="webhook",result="sent"}')).toBe("0");
});

it("what is running is a label of its version and its commit", async () => {
  context.build = { version: "1.2.3", commit: "abc" };
  const { text } = await openMetrics();
  expect(sample(await text(observed), 'almanac_build_info{version="1.2.3",commit="abc"}')).toBe("1");
  context.build = { version: "unknown", commit: "unknown" };
});

it("who waits for a turn is counted by place, with how long that took", async () => {
  const { meters, text } = await openMetrics();
  meters.admission({ place: "request", ms: 1_500 });
  const scrape = await text({ ...observed, admission: { request: 12, large_body: 1 } });
  expect(sample(scrape, 'almanac_admission_waiting{place="request"}')).toBe("12");
  expect(sample(scrape, 'almanac_admission_waiting{place="large_body"}')).toBe("1");
  expect(sample(scrape, 'almanac_admission_wait_seconds_sum{place="request"}')).toBe("1.5");
});

it("every metric that the documentation and the alert rules name is there", async () => {
  const { text: scrape } = await openMetrics();
  const text = await scrape({ ...observed, longestHolds: { request: 1_500 }, logLinesLost: 2 });
  const known = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [name, `${name}_count`, `${name}_sum`, `${name}_bucket`] : [name],
  );
  const pages = ["alerts", "install", "runbook"].map((page) => readFileSync(`docs/${page}.md`, "utf8"));
  const texts = [...pages, ...alertRules.map(({ expr }) => expr)];
  const named = texts.flatMap((one) => one.match(/\b(?:almanac|nodejs)_(?!url\b)[a-z0-9_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect(text).toContain("almanac_log_lines_lost_total 2\n");
  expect(text).toContain('almanac_admission_longest_hold_seconds{place="request"} 1.5\n');
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

it("every label by which the dashboard and the alert rules read syncs, writes and Inngest's runs is there", async () => {
  const { meters, text } = await openMetrics();
  meters.sync({ provider: "google", result: "synced" });
  meters.push({ provider: "google", result: "written" });
  const scraped = scrapedLabels(await text({ ...observed, roundTrip: { isOk: true, ms: 30_000 } }));
  const queried = [...dashboardQueries, ...alertRules.map(({ expr }) => expr)].flatMap(queriedMetrics);
  const own = queried.filter(({ metric }) => /syncs|writes|inngest/.test(metric));
  expect(own.length).toBeGreaterThan(5);
  expect(own.filter(({ metric, labels }) => labels.some((label) => !scraped.get(metric)?.has(label)))).toEqual([]);
});
