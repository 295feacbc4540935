/** Before the name of a migration, in the name of a connection. */
export const PROCESS_PREFIX = "almanac ";
/** PostgreSQL cuts longer names. */
const LONGEST_NAME = 63;

declare global {
  /** The newest migration that this process was built for. The front door sets it. */
  var almanacMigration: string | undefined;
}

/** What PostgreSQL lists the connections of this process as, so that a newer version sees which migrations it knows. */
export function processName(migration = globalThis.almanacMigration): string {
  return `${PROCESS_PREFIX}${migration ?? ""}`.trim().slice(0, LONGEST_NAME);
}
