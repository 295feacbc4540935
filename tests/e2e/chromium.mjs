import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

/** The browser without its windows: it does the same for two thirds of the processor time (ADR 62). */
const SHELL = "/usr/bin/chromium-headless-shell";
const system = [SHELL, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where a Chromium is: the system's, else Playwright's own; undefined when there is none. */
export function findChromium() {
  return [...system, chromium.executablePath()].find((path) => path && existsSync(path));
}

/** Installs one where none is, and says so: from Debian's packages as root, else as Playwright does. */
export function ensureChromium() {
  const isDebian = existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
  if (isDebian ? existsSync(SHELL) : findChromium()) return findChromium();
  process.stdout.write("Chromium is missing; installing it for the browser tests…\n");
  const install = (name) => ["apt-get", "install", "-y", "--no-install-recommends", name];
  const shell = install("chromium-headless-shell");
  if (isDebian) for (const step of [shell, ["apt-get", "update"], shell]) if (!existsSync(SHELL)) run(step);
  if (isDebian && !findChromium()) run(install("chromium"));
  if (!findChromium()) run(["npx", "playwright", "install", "--with-deps", "chromium"]);
  return findChromium();
}

function run([command, ...args]) {
  spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"] });
}
