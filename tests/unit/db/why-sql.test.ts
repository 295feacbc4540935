import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { declaredStatements } from "../../fakes/declared-statements";

const root = resolve(import.meta.dirname, "../../..");
const adr = read("server/decisions/0003-prisma-for-one-table-sql-for-the-rest.md");
const tables = [...read("prisma/schema.prisma").matchAll(/^model [^}]*@@map\("(\w+)"\)/gm)].map(([, name]) => name);

/** What Prisma's query language has no words for. */
const inexpressible = [
  /^\s*WITH\b|\bLATERAL\b|\bUNION\b|\b(FROM|JOIN) \(|\(SELECT\b[^()]*\bLIMIT\b/, // queries within queries
  /\bFILTER \(|\bOVER \(|\bWITHIN GROUP\b|\bDISTINCT ON\b|\barray_agg\(/, // more than groups and their sums
  /\bjsonb?_to_recordset\(|\bunnest\(|\bINSERT INTO \w+ (AS \w+ )?\([^)]*\)\s*SELECT\b/, // rows from values and from other rows
  /->|#>>/, // parts of JSON
  /\((?:[\w.]+, )+[\w.]+\) [<>]=? \(/, // rows compared as tuples
  /^UPDATE\b.*\b(CASE|least|greatest)\b/s, // what becomes of a column by its value
  /\b(lower|concat|concat_ws|substring|split_part)\(|\bORDER BY [^()]*\bIS (NOT )?NULL\b/, // conditions and orders by expressions
  /\bto_char\(|\w_at::text\b|\binfinity\b/, // times that Date does not have: microseconds, infinity
  /^ANALYZE\b|\bpg_class\b|\b_prisma_migrations\b|\bpg_notify\(|\bpg_stat_activity\b/, // what is not in the schema
];

/** What a statement shows by itself. The first one counts. */
const shown: [string, (text: string) => boolean][] = [
  ["lock", (text) => /\bFOR (NO KEY )?(UPDATE|SHARE)\b|\bpg_try_advisory_/.test(text)],
  ["clock", (text) => text.includes("clock_timestamp()")],
  ["inexpressible", (text) => inexpressible.some((construct) => construct.test(text))],
  ["several tables", (text) => tablesOf(text).size > 1],
];

const reasoned = declaredStatements.map(({ file, name, variants }) => {
  const texts = variants.map(({ text }) => text.replaceAll(/'(?!-?infinity)[^']*'/g, "''"));
  const whole = texts.join(";\n"); // a statement may be put together for one table or another
  const [reason = null] = shown.find(([, shows]) => texts.some(shows) || shows(whole)) ?? [];
  return { file: file.replace(/^server\/(.*)\.sql\.ts$/, "$1"), name, reason };
});
const bare = reasoned.filter(({ reason }) => reason === null);

/** The table of those that show nothing: a file, how many it has, and why they are SQL. */
const exceptions = [...adr.matchAll(/^\| `([\w/-]+)` \| (\d+) \| (hot|transaction)\b/gm)].map(
  ([, file = "", count, reason = ""]) => ({ file, count: Number(count), reason }),
);
const stated = new Map(
  [...adr.matchAll(/^\| \*\*([a-z ]+)\*\* \| (\d+) \|/gm)].map(([, reason = "", n]) => [reason, Number(n)]),
);

describe("a statement goes past Prisma Client for a reason (ADR 3)", () => {
  it("that its text shows, or that ADR 3 states of its file", () => {
    const namesOf = (file: string) => bare.filter((one) => one.file === file).map(({ name }) => name);
    const found = [...new Set(bare.map(({ file }) => file))].map((file) => ({ file, names: namesOf(file) }));
    const countOf = (file: string) => exceptions.find((one) => one.file === file)?.count;
    const unstated = found.filter(({ file, names }) => countOf(file) !== names.length);
    expect(unstated, "Prisma Client could make these: let it, or correct the table in ADR 3").toEqual([]);
    expect(exceptions.filter(({ file }) => namesOf(file).length === 0)).toEqual([]);
  });

  it("that is a transaction only if no other connection runs it", () => {
    const transactional = new Set(exceptions.flatMap(({ file, reason }) => (reason === "transaction" ? [file] : [])));
    const names = bare.filter(({ file }) => transactional.has(file)).map(({ name }) => name);
    const alone = new RegExp(`\\bdb(\\(\\))?\\.query,\\s*(sql\\.)?(${names.join("|")})\\b`);
    expect(sources("server").filter((file) => alone.test(read(file)))).toEqual([]);
  });

  for (const [reason, count] of countByReason()) {
    it(`${reason}: ${count}`, () => expect(isAbout(stated.get(reason) ?? 0, count)).toBe(true));
  }
});

/** Numbers in prose need not follow every new statement. */
function isAbout(stated: number, count: number): boolean {
  return Math.abs(stated - count) <= Math.max(1, count / 10);
}

function countByReason(): Map<string, number> {
  const reasons = reasoned.map(
    ({ reason, file }) => reason ?? exceptions.find((one) => one.file === file)?.reason ?? "none",
  );
  const all = [...shown.map(([reason]) => reason), "transaction", "hot"];
  const composed = declaredStatements.filter(({ isComposed }) => isComposed).length;
  const counts = all.map((one) => [one, reasons.filter((reason) => reason === one).length] as const);
  return new Map([...counts, ["all", reasons.length], ["put together", composed]]);
}

function tablesOf(text: string): Set<string> {
  const named = [
    ...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(\w+(?:\s+(?:AS\s+)?\w+)?(?:,\s*\w+\b[^(),]*)*)/g),
  ];
  const words = named.flatMap(([, list = ""]) => list.split(",").map((one) => one.trim().split(/\s/)[0] ?? ""));
  return new Set(words.filter((word) => tables.includes(word)));
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith(".ts") && !path.includes("/generated/"));
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
