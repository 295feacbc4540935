import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const kept = new Map<string, string>();

/** A Markdown file of the repository, such as `docs/guides/webhooks.md`. Read once; with `npm run dev` each time, for whoever writes it. */
export function fileText(path: string): string {
  const text = kept.get(path) ?? readFileSync(join(/* turbopackIgnore: true */ process.cwd(), path), "utf8");
  if (process.env.NODE_ENV === "production") kept.set(path, text);
  return text;
}

/** In the order in which they are read; others follow. */
const order = [
  ...["install", "configuration", "google", "microsoft", "caldav", "dashboard", "roles"],
  ...["alerts", "backups", "upgrades"],
];

/** The names of the Markdown files for whoever operates a service, without README.md, which lists them on a forge. */
export function operatorFiles(): string[] {
  const files = readdirSync(join(/* turbopackIgnore: true */ process.cwd(), "docs"));
  const names = files.flatMap((file) => /^([a-z-]+)\.md$/.exec(file)?.[1] ?? []);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}
