import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { dashboardRows } from "@/server/observability/dashboard";
import { grafanaDashboard } from "@/server/observability/grafana";
import { promtool } from "./promtool";

const FILE = "server/observability/grafana.json";
const folder = mkdtempSync(join(tmpdir(), "almanac-grafana-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Drawn {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}
const { panels } = grafanaDashboard() as { panels: Drawn[] };
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

it("grafana.json is what the description makes (RENEW=1 writes it)", () => {
  const text = `${JSON.stringify(grafanaDashboard(), null, 2)}\n`;
  if (process.env.RENEW) writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
});

it("has rows for the API, queues, providers, the database and Inngest", () => {
  const rows = panels.filter(({ type }) => type === "row").map(({ title }) => title);
  expect(rows).toEqual(expect.arrayContaining(["API", "Webhooks and queues", "Providers", "Database"]));
  expect(rows.join()).toContain("Inngest");
});

it("no two panels overlap, and each has an id of its own", () => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

it("each panel says what it shows, and each query names its lines", () => {
  const all = dashboardRows.flatMap((row) => row.panels);
  expect(all.filter(({ about, lines }) => about === "" || lines.length === 0)).toEqual([]);
});

it("Prometheus can read every query", () => {
  const rules = queries.map((expr, i) => ({
    record: `panel:${i}`,
    expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*"),
  }));
  writeFileSync(join(folder, "panels.yml"), stringify({ groups: [{ name: "panels", rules }] }, { lineWidth: 0 }));
  expect(promtool(folder, "check", "rules", "panels.yml")).toContain(`${queries.length} rules found`);
});

it("a query that Prometheus can't read is noticed", () => {
  const broken = { groups: [{ name: "panels", rules: [{ record: "panel:0", expr: "sum by (" }] }] };
  writeFileSync(join(folder, "broken.yml"), stringify(broken));
  expect(() => promtool(folder, "check", "rules", "broken.yml")).toThrow();
});

it("what is measured by a process can be narrowed to instances", () => {
  const own = queries.filter((expr) => /\b(?:almanac|nodejs|process)_/.test(expr));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((expr) => !expr.includes('instance=~"$instance"'))).toEqual([]);
});
