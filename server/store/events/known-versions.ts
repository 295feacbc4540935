import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { Window } from "@/server/domain/window";
import type { KnownVersion } from "@/server/providers/connector";
import { type ReceivingFault, receiveEvents } from "@/server/store/events/receive";
import { namesWithin, storedEtags, storedNames } from "@/server/store/events/received.sql";
import { undoRefused } from "@/server/store/events/revert-refused";

/**
 * Loads the etags of a calendar's events and of their parts, by their provider names: a resource with the same etag
 * need not be read again.
 */
export async function knownVersions(
  db: Database,
  calendarId: string,
  externalIds: readonly string[],
): Promise<Map<string, KnownVersion>> {
  const rows = await run(db.query, storedEtags, [calendarId, externalIds]);
  return new Map(
    rows.flatMap(({ external_id, etag, parts }) =>
      external_id === null ? [] : [[external_id, { version: etag, parts }] as const],
    ),
  );
}

/** Loads the provider names of all stored events of a calendar. */
export async function knownNames(db: Database, calendarId: string): Promise<Set<string>> {
  const rows = await run(db.query, storedNames, [calendarId]);
  return new Set(rows.flatMap(({ external_id }) => external_id ?? []));
}

export interface SweepGoneInput {
  calendarId: string;
  /** The names of all events that the provider has. */
  present: ReadonlySet<string>;
  /** The window of time that was read. Null: everything. */
  window?: Window | null;
  /**
   * The names that were stored when the pull began: an event that was first pushed since then is not gone. Omitted: the
   * names stored now.
   */
  known?: ReadonlySet<string>;
  /** When the pull began, as PostgreSQL wrote it: events pushed since then are left to the next full pull. */
  since?: string | null;
  /** The writes that had been rejected when the pull began, as `undoRefused` expects them. They are reverted too. */
  refused?: readonly string[];
  now: Instant;
}

/**
 * Deletes from a calendar, after a full pull, the events that its provider no longer has, and signals this like every
 * change. Returns the same as `receiveEvents`.
 */
export async function sweepGone(
  db: Database,
  { calendarId, present, window = null, known, since, refused = [], now }: SweepGoneInput,
): Promise<ReceivingFault[]> {
  const names = known ?? (await knownNames(db, calendarId));
  const missing = [...names].filter((name) => !present.has(name));
  const gone = window === null ? missing : await namesInWindow(db, calendarId, missing, window);
  const faults = await receiveEvents(db, { calendarId, events: [], gone, now, since });
  await undoRefused(db, { calendarId, refused });
  return faults;
}

/** Selects the events that take place in a window, a series by its occurrences. */
async function namesInWindow(db: Database, calendarId: string, externalIds: readonly string[], { from, to }: Window) {
  const rows = await run(db.query, namesWithin, [calendarId, externalIds, formatInstant(from), formatInstant(to)]);
  return rows.flatMap(({ external_id }) => external_id ?? []);
}
