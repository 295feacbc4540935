import { resolve } from "node:path";
import type { Row } from "@/tests/bench/measure";
import { machine, type Results } from "@/tests/rig/results";

/** The table of the bench, whose limits are numbers. */
export function benchResults(commit: string): Results<Row> {
  return {
    file: resolve("tests/bench/results.md"),
    head: `# Results of the last \`npm run bench\`

Of ${commit}, on ${machine()}, PostgreSQL on the same machine. The first rows compare with a bare server of node:http and pg (cost/bare.ts), in processor time of the process
and of its PostgreSQL connections for one request, at 16 connections, both sides in short turns.`,
    columns: "| Measurement | Almanac | Compared with | Value | Limit | |\n|---|---:|---:|---:|---:|---|",
    line: (row) => {
      const { what, ours, other, limit, unit } = row;
      return `| ${what} | ${ours} | ${other} | ${writtenValue(row)} | ${limit} ${unit} | ${isGood(row) ? "holds" : "**over**"} |`;
    },
    isGood,
    broken: (part, message) => {
      const what = `${part} could not be measured: ${message}`;
      return { what, ours: "", other: "", value: Number.NaN, limit: 0, unit: "" };
    },
  };
}

/** A sentence for each row that is over its limit. */
export function failuresOf(rows: readonly Row[]): string[] {
  return rows
    .filter((row) => !isGood(row))
    .map((row) => `FAILED ${row.what}: ${writtenValue(row)}, and the limit is ${row.limit} ${row.unit}.`);
}

/** What could not be measured, such as NaN, does not hold. */
function isGood({ value, limit }: Row): boolean {
  return value <= limit;
}

function writtenValue({ value, unit }: Row): string {
  return `${value.toFixed(unit === "×" ? 2 : unit === "ms" && value < 10 ? 1 : 0)} ${unit}`;
}
