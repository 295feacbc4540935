import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Debian's packages of the languages in which the documentation has code; its alert rules are Prometheus's, whose promtool runs them. */
const packages = { python3: "python3", ruby: "ruby", php: "php-cli", go: "golang-go", promtool: "prometheus" };

/** Where a language's program is; undefined when there is none. */
export function findLanguage(name) {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/bin", "/usr/local/bin", "/usr/local/go/bin"];
  return folders.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

/** Installs from Debian's packages what is missing, and says so. What cannot be had fails its own test only. */
export function ensureLanguages() {
  const missing = () => Object.keys(packages).filter((name) => !findLanguage(name));
  if (missing().length === 0) return;
  process.stdout.write(`${missing().join(", ")} missing; installing for the tests of the documentation's code…\n`);
  if (existsSync("/usr/bin/apt-get") && process.getuid?.() === 0) {
    const install = ["install", "-y", "--no-install-recommends", ...missing().map((name) => packages[name])];
    for (const args of [install, ["update"], install]) {
      if (missing().length === 0) break;
      spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] });
    }
  }
  if (missing().length === 0) return;
  process.stdout.write(`${missing().join(", ")} could not be installed. The tests of that code will fail.\n`);
}
