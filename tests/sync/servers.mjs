import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ensureCyrus } from "./cyrus-programs.mjs";

const own = join(homedir(), ".cache", "almanac-caldav-servers");

/** Where a CalDAV server's program is: the system's, else in our own Python environment; undefined when there is none. */
export function findServer(name) {
  const system = (process.env.PATH ?? "").split(":").map((folder) => join(folder, name));
  return [...system, `/usr/bin/${name}`, join(own, "bin", name)].find((path) => existsSync(path));
}

/**
 * Installs Radicale and Xandikos where one is missing, and says so: from Debian's packages as root, else with pip. Cyrus
 * too, but where it cannot be had only the tests of invitations fail.
 */
export function ensureServers() {
  ensureCyrus();
  const names = ["radicale", "xandikos"];
  const missing = () => names.filter((name) => !findServer(name));
  if (missing().length === 0) return true;
  process.stdout.write(`${missing().join(" and ")} missing; installing for the sync tests…\n`);
  for (const [command, ...args] of [...debian(missing), ...python(missing)]) {
    if (missing().length === 0) break;
    spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  }
  if (missing().length === 0) return true;
  process.stdout.write(
    `${missing().join(" and ")} could not be installed. Install manually, then run the tests again.\n`,
  );
  return false;
}

function debian(missing) {
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) return [];
  const install = ["apt-get", "install", "-y", "--no-install-recommends", ...missing()];
  return [install, ["apt-get", "update"], install];
}

function python(missing) {
  return [
    ["python3", "-m", "venv", own],
    [join(own, "bin", "pip"), "install", "--quiet", ...missing()],
  ];
}
