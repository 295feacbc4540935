import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Reads a file of the repository, such as `docs/guides/webhooks.md`. */
export function fileText(path: string): string {
  return readFileSync(pathOf(path), "utf8");
}

/** Returns when one of the files was last written: with `npm run dev`, pages are then rendered again. */
export function filesVersion(): number {
  const files = [...markdownIn("docs"), ...markdownIn("docs/guides"), "CHANGELOG.md"];
  return Math.max(...files.map((file) => statSync(pathOf(file)).mtimeMs));
}

/** Sorted in reading order. Others follow. */
const order = [
  ...["install", "configuration", "google", "microsoft", "caldav", "dashboard", "roles"],
  ...["alerts", "runbook", "outages", "backups", "upgrades"],
];

/** Lists the names of the Markdown files for operators, without README.md, which lists them on a forge. */
export function operatorFiles(): string[] {
  const names = markdownIn("docs").flatMap((file) => /\/([a-z-]+)\.md$/.exec(file)?.[1] ?? []);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

function markdownIn(folder: string): string[] {
  return readdirSync(pathOf(folder)).flatMap((file) => (file.endsWith(".md") ? `${folder}/${file}` : []));
}

function pathOf(path: string): string {
  // The comment keeps the bundler from tracing the whole project.
  return join(/* turbopackIgnore: true */ process.cwd(), path);
}
