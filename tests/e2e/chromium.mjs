import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { installPackages } from "../debian.mjs";

/** The browser without its windows: it does the same for two thirds of the processor time (ADR 62). */
const SHELL = "/usr/bin/chromium-headless-shell";
const system = [SHELL, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where a Chromium is: the system's, else Playwright's own; undefined when there is none. */
export function findChromium() {
  return [...system, chromium.executablePath()].find((path) => path && existsSync(path));
}

export function missingChromium() {
  return findChromium() ? [] : ["chromium"];
}

/** From Debian's packages as root, else as Playwright does. */
export function installChromium() {
  installPackages(() => (existsSync(SHELL) ? [] : ["chromium-headless-shell"]));
  installPackages(missingChromium);
  if (!findChromium())
    spawnSync("npx", ["playwright", "install", "--with-deps", "chromium"], { stdio: ["ignore", "ignore", "inherit"] });
}
