/** Tables that grow with accounts, calendars, events and requests (ADR 61): building an index of one can take minutes to hours. */
const large = [
  ...["access_tokens", "accounts", "grants", "profiles", "profile_syncs", "provider_tokens", "provider_watches"],
  ...["calendars", "calendar_days", "calendar_months", "channels", "skipped_resources"],
  ...["events", "event_changes", "occurrences", "seen_changes", "provider_writes", "outbox"],
  ...["attempts", "deliveries", "request_logs", "audit_entries", "firings", "bookings", "booking_calendars"],
];
/** What their partitions are called begins with their own name. */
const partitioned = ["attempts", "deliveries", "request_logs"];

const INDEX = /^\s*CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?"?(\w+)"? ON (?:ONLY )?"?(\w+)"?/gim;
const CONSTRAINT =
  /^\s*ALTER TABLE (?:ONLY )?"?(\w+)"?[^;]*? ADD CONSTRAINT "?(\w+)"? (?:UNIQUE|PRIMARY KEY|EXCLUDE)(?! USING INDEX)/gim;
const TABLE = /^\s*CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gim;

/** Names the indexes that a migration builds in its transaction on large tables that were there before. */
export function largeIndexes(script: string): string[] {
  const own = new Set([...script.matchAll(TABLE)].map(([, name]) => name));
  const indexes = [...script.matchAll(INDEX)].map(([, name = "", table = ""]) => ({ name, table }));
  const constraints = [...script.matchAll(CONSTRAINT)].map(([, table = "", name = ""]) => ({ name, table }));
  return [...indexes, ...constraints].filter(({ table }) => isLarge(table) && !own.has(table)).map(({ name }) => name);
}

function isLarge(table: string): boolean {
  return large.includes(table) || partitioned.some((name) => table.startsWith(`${name}_`));
}
