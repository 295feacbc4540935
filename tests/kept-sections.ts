import { existsSync, readFileSync } from "node:fs";

/** What stands below the table in a file of results, from its first heading on: it is written by hand. */
export function keptSections(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const at = text.indexOf("\n## ");
  return at < 0 ? "" : text.slice(at);
}
