import { execFileSync } from "node:child_process";
import { findLanguage } from "./languages.mjs";

/** Runs Prometheus's own tool in a folder. */
export function promtool(folder: string, ...parameters: string[]): string {
  const path = findLanguage("promtool");
  if (!path)
    throw new Error(
      "promtool is missing: npm run test:all -- --install fetches it from Debian's packages (tests/api/docs/languages.mjs).",
    );
  return execFileSync(path, parameters, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
