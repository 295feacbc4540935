import { MigrationFault } from "@/server/db/migration-steps";

/** An index that is built while its table is written. */
export interface OnlineIndex {
  name: string;
  table: string;
  isUnique: boolean;
  /** All that follows the name of the table. */
  rest: string;
}

/** A statement of an online migration. Each can be run again after it was interrupted. */
export type OnlineStatement =
  | { kind: "index"; index: OnlineIndex }
  /** Run again until it changes no more rows. */
  | { kind: "batches"; sql: string }
  | { kind: "once"; sql: string };

const NAME = '"?([a-z_][a-z0-9_]*)"?';
const INDEX = new RegExp(`^CREATE (UNIQUE )?INDEX CONCURRENTLY ${NAME} ON ${NAME}\\s*([\\s\\S]+)$`);
const BATCHES = /^(?:UPDATE|DELETE FROM|INSERT INTO)\b/;
const ONCE = new RegExp(
  `^(?:DROP INDEX CONCURRENTLY IF EXISTS ${NAME}|ALTER TABLE ${NAME} VALIDATE CONSTRAINT ${NAME}|ANALYZE ${NAME})$`,
);

/** Reads the script of an online migration. Throws MigrationFault for what may lock a table for long, or can't be run again. */
export function onlineStatements(name: string, script: string): OnlineStatement[] {
  const statements = script
    .replace(/^\s*--.*$/gm, "")
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  return statements.map((sql) => {
    const read = readStatement(sql);
    if (read) return read;
    throw new MigrationFault(
      `The online migration ${name} has a statement that an online migration cannot have: ${sql}.`,
    );
  });
}

function readStatement(sql: string): OnlineStatement | undefined {
  const [, unique, name, table, rest] = INDEX.exec(sql) ?? [];
  if (name && table && rest) return { kind: "index", index: { name, table, isUnique: unique !== undefined, rest } };
  // Rows that are locked would be skipped for good: the batch after the last one finds none.
  if (BATCHES.test(sql))
    return /\bLIMIT \d/.test(sql) && !/\bSKIP LOCKED\b/.test(sql) ? { kind: "batches", sql } : undefined;
  return ONCE.test(sql) ? { kind: "once", sql } : undefined;
}

/** Writes the statement that builds an index, `how` being what stands before the names: `CONCURRENTLY`, or `ONLY` before the table. */
export function indexSql({ name, table, isUnique, rest }: OnlineIndex, how: "concurrently" | "only" | "plain"): string {
  const create = `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${how === "concurrently" ? "CONCURRENTLY " : ""}"${name}"`;
  return `${create} ON ${how === "only" ? "ONLY " : ""}"${table}" ${rest}`;
}
