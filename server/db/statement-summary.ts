import { context } from "@/server/context";

const MOST_KEPT = 1_000;
const kept = new Map<string, string>();

const CTE = /(\w+)(?: \([\w, ]*\))? AS (?:NOT )?(?:MATERIALIZED )?\(/g;
const WRITE = /\b(INSERT INTO|(?<!\b(?:FOR|FOR NO KEY|DO) )UPDATE|DELETE FROM)\s+(?:ONLY )?(?:"?public"?\.)?"?(\w+)/gi;
const READ = /\b(?:FROM|JOIN)\s+(?:ONLY )?(?:"?public"?\.)?"?(\w+)/gi;

/**
 * Summarises a statement in a few words, without anybody's values: its own name if it has one, or its operation and
 * table, as `UPDATE events`.
 */
export function statementSummary(text: string): string {
  const name = context.statementNames.get(text);
  if (name !== undefined && !name.startsWith("shape ")) return name;
  const found = kept.get(text) ?? summarized(text);
  if (kept.size < MOST_KEPT) kept.set(text, found);
  return found;
}

function summarized(text: string): string {
  const [, operation, written] = [...text.matchAll(WRITE)][0] ?? [];
  if (operation && written) return `${operation.split(" ")[0]?.toUpperCase()} ${written}`;
  const own = new Set([...text.matchAll(CTE)].map(([, name]) => name));
  const read = [...text.matchAll(READ)].map(([, table]) => table).find((table) => !own.has(table));
  const [verb = "statement"] = /^\w+/.exec(text.trim()) ?? [];
  if (read) return `SELECT ${read}`;
  return /^(ANALYZE|BEGIN|COMMIT|ROLLBACK|SELECT|LISTEN|SET|WITH)$/i.test(verb) ? verb.toUpperCase() : "statement";
}
