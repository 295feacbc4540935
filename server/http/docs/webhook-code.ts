import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The files that tests/api/docs/webhook-code.test.ts runs, in the order of the page. */
const verifying = [
  { id: "node", title: "Node", name: "node.mjs", language: "javascript" },
  { id: "python", title: "Python", name: "python.py", language: "python" },
  { id: "ruby", title: "Ruby", name: "ruby.rb", language: "ruby" },
  { id: "php", title: "PHP", name: "php.php", language: "php" },
  { id: "go", title: "Go", name: "go.go", language: "go" },
] as const;

/** Those that tests/start/quickstart.test.ts runs. */
const receiving = [
  { id: "node", title: "Node", name: "receiver.mjs", language: "javascript" },
  { id: "python", title: "Python", name: "receiver.py", language: "python" },
  { id: "ruby", title: "Ruby", name: "receiver.rb", language: "ruby" },
  { id: "php", title: "PHP", name: "receiver.php", language: "php" },
] as const;

/** Reads the code that verifies notifications, as it stands in its files. */
export async function webhookCode() {
  return await Promise.all(verifying.map((file) => withText("webhook-code", file)));
}

/** Reads the programs that receive notifications and verify them. */
export async function receiverCode() {
  return await Promise.all(receiving.map((file) => withText("receiver-code", file)));
}

async function withText<File extends { name: string }>(folder: string, file: File): Promise<File & { text: string }> {
  // The comment keeps the bundler from tracing the whole project.
  const path = join(/* turbopackIgnore: true */ process.cwd(), "components", "docs", folder, file.name);
  return { ...file, text: (await readFile(path, "utf8")).trimEnd() };
}
