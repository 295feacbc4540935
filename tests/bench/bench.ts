import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { commitFigures, holdsCommitted } from "@/tests/bench/cost/short";
import { costRows } from "@/tests/bench/cost/table";
import { dashboardRows } from "@/tests/bench/dashboard";
import { embeddedRows } from "@/tests/bench/embedded";
import { benchedGoogle } from "@/tests/bench/google";
import { growthRows } from "@/tests/bench/growth";
import { manyCalendarsRows } from "@/tests/bench/many-calendars";
import type { Row } from "@/tests/bench/measure";
import { benchedMicrosoft } from "@/tests/bench/microsoft";
import { providerRows } from "@/tests/bench/provider";
import { failuresOf, resultsOf, tableOf } from "@/tests/bench/report";
import { syncRows } from "@/tests/bench/sync";
import { webhookRows } from "@/tests/bench/webhooks";
import { keptSections } from "@/tests/kept-sections";

const RESULTS = resolve("tests/bench/results.md");

type Part = (address: string, say: (text: string) => void) => Promise<Row[]>;

/** In the order of the table. */
const parts: Record<string, Part> = {
  cost: costRows,
  embedded: embeddedRows,
  webhooks: webhookRows,
  sync: syncRows,
  google: (address, say) => providerRows(address, say, benchedGoogle),
  microsoft: (address, say) => providerRows(address, say, benchedMicrosoft),
  dashboard: dashboardRows,
  growth: growthRows,
  calendars: manyCalendarsRows,
};

const address = process.env.BENCH_DATABASE_URL ?? "postgresql://root@127.0.0.1:5432/postgres";
process.env.ENCRYPTION_KEYS = `b1:${randomBytes(32).toString("base64")}`;
const given = process.argv.slice(2);
const isHelp = given.some((one) => !(one in parts) && one !== "short" && one !== "--commit");
if (isHelp) {
  say(`Usage: npm run bench [-- ${Object.keys(parts).join(" | ")} | short [--commit]]`);
  process.exitCode = 2;
} else if (!given.includes("short")) {
  await measure(given.length === 0 ? Object.keys(parts) : given);
} else if (given.includes("--commit")) {
  await commitFigures(address, say);
} else if (!(await holdsCommitted(address, say).catch(notMeasured))) {
  process.exitCode = 1;
}

/** The named parts, in the order of the table. The whole replaces results.md. */
async function measure(names: readonly string[]): Promise<void> {
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (!names.includes(name)) continue;
    say(`== ${name}`);
    rows.push(...(await part(address, say).catch((error: unknown) => [broken(name, error)])));
  }
  say(`\n${tableOf(rows)}\n`);
  for (const failure of failuresOf(rows)) {
    say(failure);
    process.exitCode = 1;
  }
  if (names.length === Object.keys(parts).length)
    writeFileSync(RESULTS, resultsOf(rows, commit()) + keptSections(RESULTS));
}

function notMeasured(error: unknown): false {
  say(`FAILED What a request costs could not be measured: ${messageOf(error)}`);
  return false;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the other parts measured is not lost with this one. */
function broken(part: string, error: unknown): Row {
  const what = `${part} could not be measured: ${messageOf(error)}`;
  return { what, ours: "", other: "", value: Number.NaN, limit: 0, unit: "" };
}

function commit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
