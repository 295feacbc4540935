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

it("every metric that the documentation names is there", async () => {
  const queues = [{ work: "deliver", provider: "", depth: 0, age: null }];
  const { text: scrape } = await openMetrics();
  const text = await scrape({ pool: { total: 1, idle: 1, waiting: 0 }, queues, isReady: true });
  const known = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [name, `${name}_count`, `${name}_bucket`] : [name],
  );
  const blocks = productionGuide().sections.flatMap((section) => section.blocks);
  const named = blocks
    .filter((block) => typeof block === "string")
    .flatMap((block) => block.match(/\b(?:almanac|nodejs)_[a-z0-9_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
