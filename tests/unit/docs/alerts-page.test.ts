import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type AlertRule, alertRules } from "@/server/observability/alert-rules";

const FILE = "docs/alerts.md";

/** Writes what the page says of a rule. Its name is the anchor of its section. */
function sectionOf({ alert, expr, for: lasting, severity, summary, advice }: AlertRule): string {
  const [, sentence, label] = /^(.*?)(?:: \{\{ \$labels\.(\w+) \}\})?$/.exec(summary) ?? [];
  const each = label === undefined ? "" : `, for each ${label}`;
  return `## ${alert}\n\n${sentence}. **${severity}** after ${lasting}${each}.\n\n\`\`\`text\n${expr}\n\`\`\`\n\n${advice}\n`;
}

it("docs/alerts.md has a section for each alert rule, in their order (RENEW=1 writes them)", () => {
  const page = readFileSync(FILE, "utf8");
  const [written = ""] = page.split(/(?=\n## Almanac[A-Z])/);
  const expected = [written, ...alertRules.map((rule) => `\n${sectionOf(rule)}`)].join("");
  if (process.env.RENEW) writeFileSync(FILE, expected);
  expect(process.env.RENEW ? expected : page).toBe(expected);
});
