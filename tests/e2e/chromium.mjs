import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const system = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where a Chromium is: the system's, else Playwright's own; undefined when there is none. */
export function findChromium() {
  return [...system, chromium.executablePath()].find((path) => path && existsSync(path));
}

/** Installs one where none is, and says so: from Debian's packages as root, else as Playwright does. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  process.stdout.write("Chromium is missing; installing it for the browser tests…\n");
  const isDebian = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  const ways = isDebian
    ? [
        ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
        ["apt-get", "update"],
        ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
        ["npx", "playwright", "install", "chromium"],
      ]
    : [["npx", "playwright", "install", "--with-deps", "chromium"]];
  for (const [command, ...args] of ways) {
    spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
    if (findChromium()) break;
  }
  return findChromium();
}
