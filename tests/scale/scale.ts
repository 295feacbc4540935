import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import type { Row } from "@/tests/faults/field";
import { keptSections } from "@/tests/kept-sections";
import { deliveries } from "@/tests/scale/deliveries";
import { inngest } from "@/tests/scale/inngest/inngest";
import { kills } from "@/tests/scale/kills";
import { limits } from "@/tests/scale/limits";
import { syncs } from "@/tests/scale/syncs";

const RESULTS = resolve("tests/scale/results.md");
const parts: Record<string, () => Promise<Row[]>> = { deliveries, syncs, limits, kills, inngest };

for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1)); // children end with it
const asked = process.argv.slice(2);
if (asked.some((name) => !(name in parts))) {
  say(`Available parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, part] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  say(`${name} …`);
  const began = performance.now();
  const found = await part().catch((error: unknown) => [broken(name, error)]);
  rows.push(...found);
  say(found.map(written).join("\n"));
  say(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
report();

function broken(fault: string, error: unknown): Row {
  return { fault, measured: error instanceof Error ? error.message : String(error), limit: "it runs", ok: false };
}

function report(): void {
  const table = ["| | Measured | Wanted | |", "|---|---|---|---|", ...rows.map(written)].join("\n");
  say(`\n${table}\n`);
  if (asked.length === 0) writeFileSync(RESULTS, `${head()}${table}\n${keptSections(RESULTS)}`);
  process.exit(rows.every(({ ok }) => ok) ? 0 : 1);
}

function written({ fault, measured, limit, ok }: Row): string {
  const line = measured.replaceAll(/\s+/g, " ").replaceAll("|", "/").slice(0, 400);
  return `| ${fault} | ${line} | ${limit} | ${ok ? (limit === "" ? "" : "holds") : "**missed**"} |`;
}

function head(): string {
  const [cpu] = cpus();
  return `# Results of the last \`npm run scale\`\n\nThe built service on PostgreSQL and Redis, all on one machine: ${cpus().length} × ${cpu?.model ?? "?"}.\n\n`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
