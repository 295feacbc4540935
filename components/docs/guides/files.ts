import { readFileSync } from "node:fs";
import { join } from "node:path";

const kept = new Map<string, string>();

/** A Markdown file of the repository, such as `docs/guides/webhooks.md`. Read once; with `npm run dev` each time, for whoever writes it. */
export function fileText(path: string): string {
  const text = kept.get(path) ?? readFileSync(join(/* turbopackIgnore: true */ process.cwd(), path), "utf8");
  if (process.env.NODE_ENV === "production") kept.set(path, text);
  return text;
}
