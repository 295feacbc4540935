import { cpus } from "node:os";
import type { Row } from "@/tests/bench/measure";

/** The rows as a table of Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { what, ours, other, limit, unit } = row;
    return `| ${what} | ${ours} | ${other} | ${writtenValue(row)} | ${limit} ${unit} | ${isOver(row) ? "**over**" : "holds"} |`;
  });
  return [
    "| Measurement | Almanac | Compared with | Value | Limit | |",
    "|---|---:|---:|---:|---:|---|",
    ...lines,
  ].join("\n");
}

/** What results.md says of the whole bench. */
export function resultsOf(rows: readonly Row[], commit: string): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model ?? "unknown"}, PostgreSQL on the same machine`;
  return `# Results of the last \`npm run bench\`

Of ${commit}, on ${machine}. The first rows compare with a bare server of node:http and pg (cost/bare.ts), in processor time of the process
and of its PostgreSQL connections for one request, at 16 connections, both sides in short turns.

${tableOf(rows)}
`;
}

/** A sentence for each row that is over its limit. */
export function failuresOf(rows: readonly Row[]): string[] {
  return rows
    .filter(isOver)
    .map((row) => `FAILED ${row.what}: ${writtenValue(row)}, and the limit is ${row.limit} ${row.unit}.`);
}

/** What could not be measured, such as NaN, does not hold. */
function isOver({ value, limit }: Row): boolean {
  return !(value <= limit);
}

function writtenValue({ value, unit }: Row): string {
  return `${value.toFixed(unit === "×" ? 2 : unit === "ms" && value < 10 ? 1 : 0)} ${unit}`;
}
