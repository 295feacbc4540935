import { expect, it } from "vitest";
import { productionGuide } from "@/components/docs/guides/production";
import { readEnv } from "@/server/env";
import { openMetrics } from "@/server/front-door/metrics/registry";
import { serveMetrics } from "@/server/front-door/metrics/server";
import { pageKind } from "@/server/front-door/page-kind";
import { meters } from "@/server/meters";

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
  const scrape = await text({
    pool: { total: 1, idle: 1, waiting: 0 },
    queues: null,
    longestHolds: {},
    logLinesLost: 0,
    isReady: true,
  });
  expect(scrape).toContain('almanac_queue_wait_seconds_sum{work="sync"} 2.5\n');
  expect(scrape).toContain('almanac_queue_wait_seconds_bucket{le="1",work="sync"} 0\n');
  expect(scrape).toContain('almanac_queue_wait_seconds_bucket{le="2.5",work="sync"} 1\n');
});

it("every metric that the documentation names is there", async () => {
  const queues = [{ work: "deliver", provider: "", depth: 0, age: null }];
  const { text: scrape } = await openMetrics();
  const text = await scrape({
    pool: { total: 1, idle: 1, waiting: 0 },
    queues,
    longestHolds: { requests: 1_500 },
    logLinesLost: 2,
    isReady: true,
  });
  const known = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [name, `${name}_count`, `${name}_bucket`] : [name],
  );
  const blocks = productionGuide().sections.flatMap((section) => section.blocks);
  const named = blocks
    .filter((block) => typeof block === "string")
    .flatMap((block) => block.match(/\b(?:almanac|nodejs)_[a-z0-9_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(8);
  expect(text).toContain("almanac_log_lines_lost_total 2\n");
  expect(text).toContain('almanac_admission_longest_hold_seconds{queue="requests"} 1.5\n');
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
