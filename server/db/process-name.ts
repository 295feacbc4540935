import { context } from "@/server/context";

/** Before the name of a migration, in the name of a connection. */
export const PROCESS_PREFIX = "almanac ";
/** PostgreSQL cuts longer names. */
const LONGEST_NAME = 63;

/**
 * Returns the name under which PostgreSQL lists the connections of this process, so that a newer version sees which
 * migrations it knows.
 */
export function processName(migration = context.migration): string {
  return `${PROCESS_PREFIX}${migration ?? ""}`.trim().slice(0, LONGEST_NAME);
}
