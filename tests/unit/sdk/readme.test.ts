import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { clientCode } from "@/tests/fakes/client-code";

it.each([
  [
    "typescript",
    "README.md",
    [/^npm init -y\nnpm pack/, /new Almanac\(/, /account\.events\.write\(/, /^kick-off Kick-off\nbusy$/],
  ],
  ["python", "python/README.md", [/^import os[\s\S]*account\.events\.write\(/, /^kick-off Kick-off$/]],
] as const)("the documentation shows the %s README's code, which tests/start runs", async (client, path, expected) => {
  const readme = readFileSync(resolve(import.meta.dirname, "../../../sdk", path), "utf8");
  const samples = await clientCode(client);
  expect(samples).toHaveLength(expected.length);
  for (const [index, { text }] of samples.entries()) {
    expect(text).toMatch(expected[index] ?? /^$/);
    expect(readme).toContain(`\n${text}\n\`\`\`\n`);
  }
});
