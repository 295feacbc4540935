import { statement, text } from "@/server/db/statement";

/** The names of the partitions of a table. */
export const partitionNames = statement<{ name: string }>(
  "SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::text::regclass",
  { name: text },
);
