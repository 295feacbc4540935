import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { lacking } from "./needs.mjs";
import { leftOut, stages, unknownSteps } from "./stages.mjs";

/**
 * `npm run check`, `npm test`, `npm run test:browser` and `npm run test:all`: runs the named steps, all of them even when one fails, and ends with
 * one line that counts them: a type check, a lint and the bench are one test each, a suite as many as it has. tests/stages.mjs says which run
 * beside one another, and tests/needs.mjs what they need besides Node. That is installed with --install alone; without, a step that lacks something
 * fails, and says what.
 */
const steps = {
  types: (run) => single(run, own("tsc"), ["--noEmit"]),
  lint: (run) => single(run, own("biome"), ["check", "--error-on-warnings", "."]),
  unit: (run) => suite(run, "unit"),
  oracles: (run) => suite(run, "oracles"),
  build: (run) => suite(run, "build"),
  bench: (run) => single(run, process.execPath, ["tests/bench/run.mjs", "short"], benchServer),
  quickstart: (run) => suite(run, "quickstart"),
  contract: (run) => suite(run, "contract"),
  fakes: (run) => suite(run, "fakes"),
  embedded: (run) => suite(run, "embedded"),
  clients: (run) => suite(run, "clients"),
  sync: (run) => suite(run, "sync"),
  server: (run) => suite(run, "server", onServer),
  postgres: (run) => suite(run, "postgres", onServer),
  redis: (run) => suite(run, "redis"),
  start: (run) => suite(run, "start"),
  e2e: browser,
};
/** The steps that need a PostgreSQL server are given one, also where the others use the embedded database. */
const { TEST_SERVER_URL } = process.env;
const onServer = TEST_SERVER_URL ? { TEST_DATABASE_URL: TEST_SERVER_URL } : {};
const benchServer = TEST_SERVER_URL ? { BENCH_DATABASE_URL: TEST_SERVER_URL } : {};

const given = process.argv.slice(2);
const mayInstall = given.includes("--install");
const names = given.filter((word) => word !== "--install");
if (names.length === 0 || unknownSteps(names).length > 0) {
  process.stderr.write(`Available steps: check, test, browser, rest, all, ${Object.keys(steps).join(", ")}.\n`);
  process.exit(2);
}

/** What Vite makes of modules, which are the same for all suites, and for the next run where their text is the same. */
const TRANSFORMED = join("node_modules", ".cache", "transformed");
const keepTransformed = ["--experimental.fsModuleCache", `--experimental.fsModuleCachePath=${TRANSFORMED}`];

let passed = 0;
let failed = 0;
const failures = [];
for (const lanes of stages(names)) {
  const isAlone = lanes.length === 1;
  if (!isAlone) process.stdout.write(`\n${lanes.map((lane) => lane.join(", ")).join(" beside ")}\n`);
  await Promise.all(lanes.map((lane) => inOrder(lane, isAlone ? watchedStep : quietStep)));
}
if (names.includes("test"))
  process.stdout.write(
    `\nLeft out, for they need more than Node or minutes more: ${leftOut(names).join(", ")}. Run them with npm run test:all.\n`,
  );
process.stdout.write(failures.map((failure) => `FAILED ${failure}\n`).join(""));
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

async function inOrder(lane, runStep) {
  for (const name of lane) await runStep(name);
}

/** What it prints is seen at once. */
async function watchedStep(name) {
  const began = performance.now();
  process.stdout.write(`\n== ${name}\n`);
  count(name, began, await resultOf(name, runner("inherit")));
}

/** What it prints is kept, and printed as one when it is over: another step runs beside it. */
async function quietStep(name) {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "almanac-output-"));
  const file = openSync(join(folder, "output"), "a");
  const result = await resultOf(name, runner(["ignore", file, file]));
  closeSync(file);
  process.stdout.write(`\n== ${name}\n${readFileSync(join(folder, "output"), "utf8")}`);
  rmSync(folder, { recursive: true, force: true });
  count(name, began, result);
}

/** A step that cannot be run has failed, and stops none of the others. */
async function resultOf(name, run) {
  try {
    const lacks = lacking(name, mayInstall);
    // What cannot be installed fails its own tests alone.
    if (lacks.length > 0 && !mayInstall) return { passed: 0, failed: 1, titles: [needsWords(lacks)] };
    return await steps[name](run);
  } catch (error) {
    return { passed: 0, failed: 1, titles: [oneLine(String(error))] };
  }
}

function needsWords(lacks) {
  return `needs ${lacks.join(", ")}. Install them, or add --install: npm run test:all -- --install`;
}

function count(name, began, result) {
  passed += result.passed;
  failed += result.failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`-- ${name}: ${result.passed} passed, ${result.failed} failed in ${seconds} s\n`);
  for (const title of result.titles ?? (result.failed > 0 ? ["see above"] : [])) failures.push(`${name}: ${title}`);
}

async function single(run, command, args, env = {}) {
  const code = await run(command, args, env);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function suite(run, project, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-test-"));
  const report = join(folder, "report.json");
  const args = ["run", "--config", "tests/vitest.config.ts", "--project", project, ...keepTransformed];
  const code = await run(
    own("vitest"),
    [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    env,
  );
  const counts = read(report);
  rmSync(folder, { recursive: true, force: true });
  // A file that cannot be loaded, or an error outside of any test, fails the run without failing a test.
  if (!counts || (code !== 0 && counts.failed === 0)) {
    return { passed: counts?.passed ?? 0, failed: 1, titles: counts?.titles.length ? counts.titles : undefined };
  }
  return counts;
}

async function browser(run) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-e2e-"));
  const report = join(folder, "report.json");
  const env = { E2E_REPORT: report, E2E_DATA_DIR: join(folder, "data") };
  const code = await run(own("playwright"), ["test", "--config", "tests/e2e/playwright.config.ts"], env);
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

/** What runs a program, and where what it prints goes. */
/** A program of a package, without a package manager between. */
function own(program) {
  return join("node_modules", ".bin", program);
}

function runner(stdio) {
  return (command, args, env = {}) =>
    new Promise((resolve) => {
      const child = spawn(command, args, { stdio, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env } });
      child.on("error", () => resolve(127));
      child.on("exit", (code) => resolve(code ?? 1));
    });
}
