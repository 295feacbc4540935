import type { Binding } from "@/server/db/composed";

/** Binds values as literals, so that a statement can be run by itself. */
export function literals(): Binding {
  return { values: [], put: literal };
}

function literal(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "NULL";
  const text = Array.isArray(value) ? `{${value.join(",")}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

const CLAUSE = /^(?:FROM|WHERE|CROSS JOIN|LEFT JOIN|JOIN|UNION ALL|ORDER BY|GROUP BY|LIMIT|OFFSET|SELECT)\b/;
/** Words whose clause goes on. */
const GOES_ON = /(?:CROSS|LEFT|SELECT) $/;
/** A part that is short enough for its line. */
const SHORT = /^\((?:SELECT|VALUES)[^()]{0,80}\)/;
const INDENT = "  ";

/** Breaks a statement into lines at its clauses, indented by its parentheses: nothing but white space changes. */
export function printed(statement: string): string {
  const text = statement.replace(/\s+/g, " ").replaceAll("( ", "(").trim();
  const depths: boolean[] = [];
  let lines = "";
  for (let at = 0; at < text.length; at += 1) {
    const rest = text.slice(at);
    const whole = (/^'(?:[^']|'')*'/.exec(rest) ?? SHORT.exec(rest))?.[0];
    if (whole) {
      lines += whole;
      at += whole.length - 1;
      continue;
    }
    const before = text.slice(0, at);
    const isStart = /[ (]$/.test(before) && !GOES_ON.test(before);
    if (isStart && CLAUSE.test(rest) && depths.at(-1) !== false) {
      lines = `${lines.trimEnd()}\n${INDENT.repeat(depths.filter(Boolean).length)}`;
    }
    const char = text[at];
    if (char === "(") depths.push(/^\(\(?SELECT\b/.test(rest));
    if (char === ")" && depths.pop()) lines = `${lines.trimEnd()}\n${INDENT.repeat(depths.filter(Boolean).length)}`;
    lines += char;
    if (char === "," && depths.length === 0 && / [a-z]+ AS MATERIALIZED /.test(text.slice(at, at + 40))) {
      lines += "\n";
      at += 1;
    }
  }
  return `${lines};\n`;
}
