import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export const PYTHON = "/usr/bin/python3";

/** Debian's packages of the libraries in which applications are written, by what Python calls them. */
const packages = { authlib: "python3-authlib", requests_oauthlib: "python3-requests-oauthlib" };

export function ensureClientLibraries() {
  const missing = () => Object.keys(packages).filter((name) => !hasModule(name));
  if (missing().length === 0) return;
  process.stdout.write(`${missing().join(", ")} missing; installing for the tests of client libraries…\n`);
  if (existsSync("/usr/bin/apt-get") && process.getuid?.() === 0) {
    const install = ["install", "-y", "--no-install-recommends", ...missing().map((name) => packages[name])];
    for (const args of [install, ["update"], install]) {
      if (missing().length === 0) break;
      spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"] });
    }
  }
  if (missing().length === 0) return;
  process.stdout.write(`${missing().join(", ")} could not be installed. The tests of these libraries will fail.\n`);
}

function hasModule(name) {
  return spawnSync(PYTHON, ["-c", `import ${name}`], { stdio: "ignore" }).status === 0;
}
