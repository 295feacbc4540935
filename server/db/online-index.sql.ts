import { bool, statement, text } from "@/server/db/statement";

/** Whether an index is complete, and whether its table has partitions. No row: there is none of the name. */
export const indexState = statement<{ is_valid: boolean; is_partitioned: boolean }>(
  `SELECT i.indisvalid AS is_valid, c.relkind = 'I' AS is_partitioned FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indexrelid = to_regclass(quote_ident($1::text))`,
  { is_valid: bool, is_partitioned: bool },
);

/** Whether a table has partitions. */
export const tableKind = statement<{ is_partitioned: boolean }>(
  "SELECT relkind = 'p' AS is_partitioned FROM pg_class WHERE oid = quote_ident($1::text)::regclass",
  { is_partitioned: bool },
);

/** The partitions of a table that have no part of its index yet. */
export const partitionsWithout = statement<{ name: string }>(
  `SELECT c.relname::text AS name FROM pg_inherits p JOIN pg_class c ON c.oid = p.inhrelid
  WHERE p.inhparent = quote_ident($1::text)::regclass AND NOT EXISTS (
    SELECT FROM pg_inherits part JOIN pg_index i ON i.indexrelid = part.inhrelid
    WHERE part.inhparent = quote_ident($2::text)::regclass AND i.indrelid = c.oid)
  ORDER BY c.relname`,
  { name: text },
);

/** Takes the lock of online migrations for as long as the connection lives. False: another connection has it. */
export const tryLockSession = statement<{ taken: boolean }>("SELECT pg_try_advisory_lock($1::bigint) AS taken", {
  taken: bool,
});
