import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

/** A line of a table: what was measured, and what was wanted. */
export interface Row {
  what: string;
  measured: string;
  limit: string;
  ok: boolean;
}

/** How a command writes its rows, and the file that keeps those of its last whole run. */
export interface Results<R> {
  file: string;
  /** Of the file, what stands above the table. */
  head: string;
  /** The first two lines of the table, in Markdown. */
  columns: string;
  line(row: R): string;
  isGood(row: R): boolean;
  /** The row of a part that could not be measured. */
  broken(part: string, message: string): R;
}

/**
 * Measures the named parts, all if none is named, in the order of the table. What the others measured is not lost with a part that throws. A run of all of
 * them replaces the table in the file. Gives the rows; the exit code is 1 if one of them is not good.
 */
export async function runParts<R>(
  parts: Record<string, () => Promise<R[]>>,
  asked: readonly string[],
  results: Results<R>,
): Promise<R[]> {
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1)); // children end with it
  const all = Object.keys(parts);
  if (asked.some((name) => !all.includes(name))) {
    say(`Available: ${all.join(", ")}.`);
    process.exit(2);
  }
  const rows: R[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    say(`${name} …`);
    const began = performance.now();
    const found = await part().catch((error: unknown) => [results.broken(name, messageOf(error))]);
    for (const row of found) say(results.line(row));
    say(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
    rows.push(...found);
  }
  const table = tableOf(rows, results);
  say(`\n${table}\n`);
  const { file, head, isGood } = results;
  if (asked.length === 0) writeFileSync(file, `${head}\n\n${table}\n${keptSections(file)}`);
  process.exitCode = rows.every(isGood) ? 0 : 1;
  return rows;
}

/** Results whose limits are not all numbers. */
export function plainResults(of: Pick<Results<Row>, "file" | "head" | "columns"> & { missed: string }): Results<Row> {
  return {
    ...of,
    line: ({ what, measured, limit, ok }) => {
      const line = measured.replaceAll(/\s+/g, " ").replaceAll("|", "/").slice(0, 900);
      return `| ${what} | ${line} | ${limit} | ${ok ? (limit === "" ? "" : "holds") : `**${of.missed}**`} |`;
    },
    isGood: ({ ok }) => ok,
    broken,
  };
}

export function broken(what: string, measured: string): Row {
  return { what, measured, limit: "it runs", ok: false };
}

/** The rows as a table of Markdown. */
export function tableOf<R>(rows: readonly R[], { columns, line }: Pick<Results<R>, "columns" | "line">): string {
  return [columns, ...rows.map(line)].join("\n");
}

/** The processors of this machine. */
export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model ?? "unknown"}`;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What stands below the table in a file of results, from its first heading on: it is written by hand. */
function keptSections(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const at = text.indexOf("\n## ");
  return at < 0 ? "" : text.slice(at);
}
