import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The files that tests/api/docs/webhook-code.test.ts runs, in the order of the page. */
const files = [
  { id: "node", title: "Node", name: "node.mjs", language: "javascript" },
  { id: "python", title: "Python", name: "python.py", language: "python" },
  { id: "ruby", title: "Ruby", name: "ruby.rb", language: "ruby" },
  { id: "php", title: "PHP", name: "php.php", language: "php" },
  { id: "go", title: "Go", name: "go.go", language: "go" },
] as const;

/** The code that verifies notifications, as it stands in its files. */
export async function webhookCode() {
  // The comment keeps the bundler from tracing the whole project.
  const folder = join(/* turbopackIgnore: true */ process.cwd(), "components", "docs", "webhook-code");
  return await Promise.all(
    files.map(async ({ name, ...file }) => ({
      ...file,
      name,
      text: (await readFile(join(folder, name), "utf8")).trimEnd(),
    })),
  );
}
