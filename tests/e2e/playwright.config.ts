import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./chromium.mjs";

// Chosen once: Playwright's workers load this file too, and inherit what the first process found.
if (!process.env.E2E_PORT || !process.env.E2E_OUTSIDE_PORT || !process.env.E2E_APPLICATION_PORT) {
  const found = execFileSync(process.execPath, [join(import.meta.dirname, "free-ports.mjs")], { encoding: "utf8" });
  [process.env.E2E_PORT, process.env.E2E_OUTSIDE_PORT, process.env.E2E_APPLICATION_PORT] = found.split(" ");
}
const port = Number(process.env.E2E_PORT);
/** Where tests/e2e/outside.ts plays the provider and the application. */
const outside = `http://127.0.0.1:${process.env.E2E_OUTSIDE_PORT}`;
const applications = [
  {
    name: "Acme",
    client_id: "acme",
    client_secret: "acme-secret",
    redirect_uris: [`${outside}/application/callback`],
  },
  {
    name: "Confirming",
    client_id: "confirming",
    client_secret: "confirming-secret",
    redirect_uris: [`${outside}/application/callback`],
    connect_success_page: true,
  },
  {
    name: "Six",
    client_id: "six",
    client_secret: "six-secret",
    redirect_uris: [`http://[::1]:${process.env.E2E_APPLICATION_PORT}/callback`],
  },
];
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
const offline = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];

const together = /(connect-[\w-]*|front-page|docs[\w-]*)\.spec\.ts$/;
const calendars = /(connected|google|microsoft)-calendar\.spec\.ts$/;

/** The production build, on a fresh embedded database, seen through a browser. */
export default defineConfig({
  testDir: ".",
  outputDir: "artefacts",
  fullyParallel: false,
  // Waits end with what they wait for: these only end a test whose wait never would, on a machine of any speed.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Those about connecting share one service and what stands outside of it, those about staff another. Those about a calendar have one each,
  // and wait for half of their time.
  workers: 3,
  projects: [
    { name: "connect", testMatch: together, workers: 1 },
    { name: "staff", testMatch: "*.spec.ts", testIgnore: [together, calendars], workers: 1 },
    { name: "calendars", testMatch: calendars, workers: 1 },
  ],
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: process.env.E2E_REPORT ?? "artefacts/report.json" }]],
  use: {
    // A click on what never comes says so itself, and not the end of the test.
    actionTimeout: 60_000,
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: { executablePath: findChromium(), args: [...quiet, ...offline] },
  },
  webServer: {
    command: "node --v8-pool-size=1 server/front-door/launch.mjs",
    cwd: resolve(import.meta.dirname, "../.."),
    url: `http://127.0.0.1:${port}/health`,
    timeout: 600_000,
    env: {
      PORT: String(port),
      HOST: "127.0.0.1",
      DATABASE_URL: "",
      ICLOUD_CALDAV_URL: outside,
      BOOTSTRAP_APPLICATIONS: JSON.stringify(applications),
      DATA_DIR: process.env.E2E_DATA_DIR ?? mkdtempSync(join(tmpdir(), "almanac-e2e-")),
    },
  },
});
