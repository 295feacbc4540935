import { existsSync } from "node:fs";
import { installPackages } from "../../debian.mjs";

/** Debian's packages of the languages in which the documentation has code; its alert rules are Prometheus's, whose promtool runs them. */
const packages = { python3: "python3", ruby: "ruby", php: "php-cli", go: "golang-go", promtool: "prometheus" };

/** Where a language's program is; undefined when there is none. */
export function findLanguage(name) {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/bin", "/usr/local/bin", "/usr/local/go/bin"];
  return folders.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

export function missingLanguages() {
  return Object.keys(packages).filter((name) => !findLanguage(name));
}

export function installLanguages() {
  installPackages(() => missingLanguages().map((name) => packages[name]));
}
