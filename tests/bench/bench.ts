import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { changesRows } from "@/tests/bench/changes";
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
import { benchResults, failuresOf } from "@/tests/bench/report";
import { schedulingRows } from "@/tests/bench/scheduling";
import { syncRows } from "@/tests/bench/sync";
import { webhookRows } from "@/tests/bench/webhooks";
import { SERVER } from "@/tests/rig/database";
import { messageOf, runParts, say } from "@/tests/rig/results";

/** In the order of the table. */
const parts: Record<string, (address: string, say: (text: string) => void) => Promise<Row[]>> = {
  cost: costRows,
  embedded: embeddedRows,
  webhooks: webhookRows,
  sync: syncRows,
  google: (address, say) => providerRows(address, say, benchedGoogle),
  microsoft: (address, say) => providerRows(address, say, benchedMicrosoft),
  dashboard: dashboardRows,
  growth: growthRows,
  calendars: manyCalendarsRows,
  scheduling: schedulingRows,
  changes: changesRows,
};

process.env.ENCRYPTION_KEYS = `b1:${randomBytes(32).toString("base64")}`;
const asked = process.argv.slice(2);
if (!asked.includes("short")) {
  const measured = Object.entries(parts).map(([name, part]) => [name, () => part(SERVER, say)]);
  for (const failure of failuresOf(await runParts(Object.fromEntries(measured), asked, benchResults(commit()))))
    say(failure);
} else if (asked.includes("--commit")) {
  await commitFigures(SERVER, say);
} else if (!(await holdsCommitted(SERVER, say).catch(notMeasured))) {
  process.exitCode = 1;
}

function notMeasured(error: unknown): false {
  say(`FAILED What a request costs could not be measured: ${messageOf(error)}`);
  return false;
}

function commit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
}
