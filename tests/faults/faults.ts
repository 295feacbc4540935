import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { clock } from "@/tests/faults/clock";
import { deadReceivers } from "@/tests/faults/dead-receivers";
import type { Row } from "@/tests/faults/field";
import { googleKill9 } from "@/tests/faults/google-kill-9";
import { inngestAway } from "@/tests/faults/inngest-away";
import { kill9 } from "@/tests/faults/kill-9";
import { mixedDay } from "@/tests/faults/mixed-day";
import { neighbours } from "@/tests/faults/neighbours";
import { noWake } from "@/tests/faults/no-wake";
import { poison } from "@/tests/faults/poison";
import { postgresRestart } from "@/tests/faults/postgres-restart";
import { sideBySide } from "@/tests/faults/side-by-side";
import { slowReceivers } from "@/tests/faults/slow-receivers";
import { syncKill9 } from "@/tests/faults/sync-kill-9";
import { twoProcesses } from "@/tests/faults/two-processes";
import { upgrade } from "@/tests/faults/upgrade";
import { keptSections } from "@/tests/kept-sections";

const RESULTS = resolve("tests/faults/results.md");

const faults: Record<string, () => Promise<Row[]>> = {
  "kill-9": kill9,
  "sync-kill-9": syncKill9,
  "google-kill-9": googleKill9,
  "no-wake": noWake,
  "postgres-restart": postgresRestart,
  clock,
  "two-processes": twoProcesses,
  poison,
  "dead-receivers": deadReceivers,
  "slow-receivers": slowReceivers,
  "inngest-away": inngestAway,
  neighbours,
  "mixed-day": mixedDay,
  ...(process.env.UPGRADE_FROM && { upgrade, "side-by-side": sideBySide }),
};

for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1)); // children end with it
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in faults));
if (unknown.length > 0) {
  say(`Available faults: ${Object.keys(faults).join(", ")}.`);
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, fault] of Object.entries(faults)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  say(`${name} …`);
  const began = performance.now();
  rows.push(...(await fault().catch((error: unknown) => [broken(name, error)])));
  say(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
report();

function broken(fault: string, error: unknown): Row {
  return { fault, measured: error instanceof Error ? error.message : String(error), limit: "it runs", ok: false };
}

function report(): void {
  const table = [
    "| Fault | Measured | Limit | |",
    "|---|---|---|---|",
    ...rows.map(({ fault, measured, limit, ok }) => {
      const line = measured.replaceAll(/\s+/g, " ").replaceAll("|", "/").slice(0, 400);
      return `| ${fault} | ${line} | ${limit} | ${ok ? "holds" : "**over**"} |`;
    }),
  ].join("\n");
  say(`\n${table}\n`);
  const [cpu] = cpus();
  const head = `# Results of the last \`npm run faults\`\n\nThe real service on PostgreSQL; receivers run in the script's process; ${cpus().length} × ${cpu?.model ?? "?"}.\n\n`;
  if (asked.length === 0) writeFileSync(RESULTS, `${head}${table}\n${keptSections(RESULTS)}`);
  process.exit(rows.every(({ ok }) => ok) ? 0 : 1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
