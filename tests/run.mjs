import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureLanguages } from "./api/docs/languages.mjs";
import { ensureChromium } from "./e2e/chromium.mjs";
import { ensureServers } from "./sync/servers.mjs";

/**
 * `npm run check` and `npm test`: runs the named steps one after another, all of them even when one fails, and ends with
 * one line that counts them: a type check and a lint are one test each, a suite as many as it has.
 */
const steps = {
  types: () => single("types", "npx", ["tsc", "--noEmit"]),
  lint: () => single("lint", "npx", ["biome", "check", "--error-on-warnings", "."]),
  unit: () => suite("unit"),
  oracles: () => suite("oracles"),
  build: () => suite("build"),
  api: () => {
    ensureLanguages();
    return suite("api");
  },
  sync: () => (ensureServers() ? suite("sync") : { passed: 0, failed: 1 }),
  server: () => suite("server"),
  postgres: () => suite("postgres"),
  redis: () => suite("redis"),
  start: () => suite("start"),
  e2e: () => browser(),
};
const groups = {
  check: ["types", "lint", "unit"],
  test: ["types", "lint", "unit", "oracles", "build", "api", "sync", "start", "e2e"],
};

const asked = process.argv.slice(2).flatMap((name) => groups[name] ?? [name]);
const unknown = asked.filter((name) => !(name in steps));
if (asked.length === 0 || unknown.length > 0) {
  process.stderr.write(`Available steps: ${[...Object.keys(groups), ...Object.keys(steps)].join(", ")}.\n`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
const failures = [];
for (const name of asked) {
  const began = performance.now();
  process.stdout.write(`\n== ${name}\n`);
  const result = await steps[name]();
  passed += result.passed;
  failed += result.failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`-- ${name}: ${result.passed} passed, ${result.failed} failed in ${seconds} s\n`);
  for (const title of result.titles ?? (result.failed > 0 ? ["see above"] : [])) failures.push(`${name}: ${title}`);
}
process.stdout.write(failures.map((failure) => `FAILED ${failure}\n`).join(""));
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

async function single(_name, command, args) {
  const code = await run(command, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function suite(project) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-test-"));
  const report = join(folder, "report.json");
  const args = ["vitest", "run", "--config", "tests/vitest.config.ts", "--project", project];
  const code = await run("npx", [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  const counts = read(report);
  rmSync(folder, { recursive: true, force: true });
  // A file that cannot be loaded, or an error outside of any test, fails the run without failing a test.
  if (!counts || (code !== 0 && counts.failed === 0)) {
    return { passed: counts?.passed ?? 0, failed: 1, titles: counts?.titles.length ? counts.titles : undefined };
  }
  return counts;
}

async function browser() {
  if (!ensureServers()) return { passed: 0, failed: 1 };
  if (!ensureChromium()) {
    process.stdout.write("Chromium could not be installed. Install it, then run the tests again.\n");
    return { passed: 0, failed: 1 };
  }
  const folder = mkdtempSync(join(tmpdir(), "almanac-e2e-"));
  const report = join(folder, "report.json");
  Object.assign(process.env, { E2E_REPORT: report, E2E_DATA_DIR: join(folder, "data") });
  const code = await run("npx", ["playwright", "test", "--config", "tests/e2e/playwright.config.ts"]);
  const counts = readPlaywright(report);
  rmSync(folder, { recursive: true, force: true });
  return counts && (code === 0) === (counts.failed === 0) ? counts : { passed: counts?.passed ?? 0, failed: 1 };
}

function readPlaywright(report) {
  try {
    const { stats, suites } = JSON.parse(readFileSync(report, "utf8"));
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + stats.skipped,
      titles: suites.flatMap(notExpected).map(oneLine),
    };
  } catch {
    return undefined;
  }
}

function read(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const broken = testResults.flatMap((file) => {
      const tests = file.assertionResults.filter((test) => test.status === "failed");
      if (tests.length === 0 && file.status === "failed") return [`${file.name}: ${file.message}`];
      return tests.map((test) => `${test.fullName}: ${test.failureMessages?.[0] ?? ""}`);
    });
    return { passed: numPassedTests, failed: numFailedTests, titles: broken.map(oneLine) };
  } catch {
    return undefined;
  }
}

/** A suite of Playwright's report holds suites and specs; one of more than one attempt is not as expected either. */
function notExpected(suite) {
  const own = suite.specs
    .filter((spec) => spec.tests.some((test) => test.status !== "expected"))
    .map((spec) => `${spec.file}: ${spec.title}: ${spec.tests[0]?.results[0]?.error?.message ?? ""}`);
  return [...own, ...(suite.suites ?? []).flatMap(notExpected)];
}

/** The beginning of a failure, so that the last lines of a long run name it. */
function oneLine(text) {
  return stripVTControlCharacters(text).replaceAll(/\s+/g, " ").slice(0, 400);
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
    child.on("error", () => resolve(127));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
