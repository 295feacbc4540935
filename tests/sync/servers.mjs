import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { installPackages } from "../debian.mjs";
import { findCyrus, installCyrus } from "./cyrus-programs.mjs";

const own = join(homedir(), ".cache", "almanac-caldav-servers");

/** Where a CalDAV server's program is: the system's, else in our own Python environment; undefined when there is none. */
export function findServer(name) {
  const system = (process.env.PATH ?? "").split(":").map((folder) => join(folder, name));
  return [...system, `/usr/bin/${name}`, join(own, "bin", name)].find((path) => existsSync(path));
}

/** PHP's own packages bring no web server. */
const php = ["php-cli", "php-sqlite3", "php-xml", "php-mbstring", "php-sabre-dav"];
const packaged = ["radicale", "xandikos"];

/** Of Radicale, Xandikos, sabre/dav and Cyrus those that are not there. */
export function missingServers() {
  return [...missingPackaged(), ...(hasSabre() ? [] : ["sabre/dav"]), ...(findCyrus() ? [] : ["cyrus"])];
}

/** From Debian's packages as root. Elsewhere Radicale and Xandikos come with pip, and Cyrus unpacked; sabre/dav does not. */
export function installServers() {
  installCyrus();
  installPackages(() => [...missingPackaged(), ...(hasSabre() ? [] : php)]);
  if (missingPackaged().length === 0) return;
  for (const [command, ...args] of [
    ["python3", "-m", "venv", own],
    [join(own, "bin", "pip"), "install", "--quiet", ...missingPackaged()],
  ])
    spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
}

function missingPackaged() {
  return packaged.filter((name) => !findServer(name));
}

function hasSabre() {
  return findServer("php") !== undefined && existsSync("/usr/share/php/Sabre/DAV");
}
