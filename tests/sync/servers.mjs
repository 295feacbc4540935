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
 * Installs Radicale and Xandikos where one is missing, and says so: from Debian's packages as root, else with pip. Cyrus and
 * sabre/dav too, but where they cannot be had only the tests of invitations and of Digest fail.
 */
export function ensureServers() {
  ensureCyrus();
  ensureSabre();
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

/** PHP's own packages bring no web server. */
const php = ["php-cli", "php-sqlite3", "php-xml", "php-mbstring", "php-sabre-dav"];

function ensureSabre() {
  const isThere = () => findServer("php") && existsSync("/usr/share/php/Sabre/DAV");
  if (isThere()) return;
  process.stdout.write("sabre/dav is missing; installing it for the sync tests…\n");
  for (const [command, ...args] of debian(() => php)) {
    if (isThere()) return;
    spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  }
  if (!isThere()) process.stdout.write("sabre/dav could not be installed. The tests of Digest will fail.\n");
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
