import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import type { AlertRule } from "@/server/observability/alert-rule";
import { alertRules, ruleFile } from "@/server/observability/alert-rules";

const FILE = "docs/runbook.md";

/** Writes the sentence of a rule, and what it is told apart by. */
function saidBy({ summary }: AlertRule): { sentence: string; each: string } {
  const [, sentence = "", label] = /^(.*?)(?:: \{\{ \$labels\.(\w+) \}\})?$/.exec(summary) ?? [];
  return { sentence, each: label === undefined ? "" : `, for each ${label}` };
}

/** Writes what the page says of a rule. Its name is the anchor of its section. */
function sectionOf(rule: AlertRule): string {
  const { alert, expr, for: lasting, severity, users, first, advice, escalate } = rule;
  const { sentence, each } = saidBy(rule);
  return [
    `## ${alert}`,
    `${sentence}. **${severity}** after ${lasting}${each}.`,
    `\`\`\`text\n${expr}\n\`\`\``,
    `**Users see:** ${users}`,
    "**Look at:**",
    first.map((one, i) => `${i + 1}. ${one}`).join("\n"),
    `**Do:** ${advice}`,
    `**Escalate:** ${escalate}`,
  ].join("\n\n");
}

const tableOf = (rules: readonly AlertRule[]) =>
  [
    "| Alert | | Means |\n|---|---|---|",
    ...rules.map(
      (rule) => `| [${rule.alert}](#${rule.alert.toLowerCase()}) | ${rule.severity} | ${saidBy(rule).sentence} |`,
    ),
  ].join("\n");

it("docs/runbook.md has a section for each alert rule, in their order (RENEW=1 writes them)", () => {
  const page = readFileSync(FILE, "utf8");
  const [lead = ""] = page.split(/(?=\| Alert \|)/);
  const expected = `${[lead.trimEnd(), tableOf(alertRules), ...alertRules.map(sectionOf)].join("\n\n")}\n`;
  if (process.env.RENEW) writeFileSync(FILE, expected);
  expect(process.env.RENEW ? expected : page).toBe(expected);
});

it("each alert leads to its section", () => {
  const anchors = [...readFileSync(FILE, "utf8").matchAll(/^## (\w+)$/gm)].map(([, name = ""]) => name.toLowerCase());
  const urls = [...stringify(ruleFile(), { lineWidth: 0 }).matchAll(/runbook_url: "(.+)"/g)].map(([, url]) => url);
  expect(urls).toEqual(anchors.map((anchor) => `{{ $externalLabels.almanac_url }}/docs/runbook#${anchor}`));
  expect(urls).toHaveLength(alertRules.length);
});
