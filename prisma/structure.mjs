// Reads the structure of prisma/schema.prisma's tables in a migrated database, as prisma/structure.sql lists it.

const HEAD = `-- What the tables of schema.prisma have in a migrated database, as PostgreSQL prints it: every index, check, trigger, function, storage
-- parameter and partition. Generated from prisma/migrations: renew it with
-- RENEW=1 npx vitest run --config tests/vitest.config.ts --project embedded tests/api/db/drift.test.ts`;

/** Partitions named after a day are left out: they come and go. */
const TABLES = `WITH tables AS (SELECT oid, relname AS "table" FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
  AND relname <> '_prisma_migrations' AND relname !~ '_\\d{8}$')`;

const tables = `${TABLES} SELECT "table", coalesce(pg_partition_root(c.oid)::regclass::text, "table") AS whole, pg_get_partkeydef(c.oid) AS key,
  (SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = c.oid) AS parent, pg_get_expr(relpartbound, c.oid) AS bound,
  (SELECT string_agg(replace(o, '=', ' = '), ', ' ORDER BY o) FROM unnest(reloptions) o) AS parameters
FROM tables JOIN pg_class c ON c.oid = tables.oid ORDER BY "table" COLLATE "C"`;

const checks = `${TABLES} SELECT "table", conname AS name, pg_get_constraintdef(c.oid, true) AS text
FROM tables JOIN pg_constraint c ON conrelid = tables.oid AND contype = 'c' ORDER BY conname COLLATE "C"`;

/** Indexes of partitions are left out: they follow from those of the parent table. Prisma cannot describe special indexes. */
const indexes = `${TABLES} SELECT "table", pg_get_indexdef(c.oid, 0, true) AS text, indpred IS NOT NULL OR indexprs IS NOT NULL
    OR indnatts > indnkeyatts OR reloptions IS NOT NULL
    OR EXISTS (SELECT FROM pg_opclass o WHERE o.oid = ANY (indclass::oid[]) AND NOT opcdefault) AS "isSpecial"
FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class c ON c.oid = indexrelid AND NOT relispartition ORDER BY relname COLLATE "C"`;

const triggers = `${TABLES} SELECT "table", pg_get_triggerdef(t.oid, true) AS text
FROM tables JOIN pg_trigger t ON tgrelid = tables.oid AND NOT tgisinternal ORDER BY tgname COLLATE "C"`;

const functions = `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname COLLATE "C"`;

/**
 * Returns the text of prisma/structure.sql, and for each table what schema.prisma cannot describe of it.
 * @param {(statement: string) => Promise<Record<string, any>[]>} query
 * @returns {Promise<{ text: string, more: Record<string, string[]> }>}
 */
export async function readStructure(query) {
  const rows = await query(tables);
  const lines = new Map(rows.map(({ table, key }) => [table, [`-- ${table}${key ? `, by ${key}` : ""}`]]));
  const kinds = new Map(rows.map(({ table }) => [table, /** @type {string[]} */ ([])]));
  const wholes = new Map(rows.map(({ table, whole }) => [table, whole]));
  /** @type {(table: string, text: string, kind?: string) => void} */
  const add = (table, text, kind) => {
    lines.get(table)?.push(`${text.replaceAll(/\s+/g, " ")};`);
    if (kind) kinds.get(wholes.get(table))?.push(kind);
  };
  for (const { table, parent, bound, parameters } of rows) {
    if (parent) add(table, `CREATE TABLE ${table} PARTITION OF ${parent} ${bound}`);
    if (parameters) add(table, `ALTER TABLE ${table} SET (${parameters})`, "storage parameters");
  }
  for (const { table, name, text } of await query(checks)) {
    add(table, `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${text}`, "checks");
  }
  for (const { table, text, isSpecial } of await query(indexes)) add(table, text, isSpecial ? "indexes" : undefined);
  for (const { table, text } of await query(triggers)) add(table, text, "triggers");
  for (const { whole, key } of rows) if (key) kinds.get(whole)?.push("partitions");
  const bodies = (await query(functions)).map(({ text }) => `${text.replaceAll("public.", "").trimEnd()};`);
  const sections = [...lines.values()].map((section) => section.join("\n"));
  const more = [...kinds].filter(([, of]) => of.length > 0).map(([table, of]) => [table, [...new Set(of)].sort()]);
  return {
    text: `${[HEAD, ...sections, "-- Functions", ...bodies].join("\n\n")}\n`,
    more: Object.fromEntries(more),
  };
}
