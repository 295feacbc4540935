import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { alertRules } from "@/server/observability/alert-rules";

const page = readFileSync("docs/outages.md", "utf8");
const table = /\| Away \|[\s\S]*?\n\n/.exec(page)?.[0] ?? "";

it("docs/outages.md has the outage table of tests/faults/results.md", () => {
  expect(table.split("\n").length).toBeGreaterThan(6);
  expect(readFileSync("tests/faults/results.md", "utf8")).toContain(table);
});

it("has a section for each of what can be away, and names alerts that there are", () => {
  const away = [...page.matchAll(/^## When (.+) is away$/gm)].map(([, name]) => name);
  expect(away).toEqual(["PostgreSQL", "Redis", "Inngest", "a provider", "SMTP"]);
  const named = page.match(/\bAlmanac[A-Z]\w+/g) ?? [];
  const known = alertRules.map(({ alert }) => alert);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
