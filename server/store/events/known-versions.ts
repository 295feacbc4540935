import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { isRefused } from "@/server/store/events/known-events";
import { type ReceivingFault, receiveEvents } from "@/server/store/events/receive";
import { undoRefused } from "@/server/store/events/revert-refused";

/** Of deleted events those whose provider has not heard that they are. */
const stored = `deleted_at IS NULL
  OR EXISTS (SELECT FROM provider_writes w WHERE w.event_row = events.id AND w.refused_at IS NULL)`;

/**
 * The versions of a calendar's events that are stored, by their provider's names: what has the same need not be read again.
 * Null: the event is known, its version is not.
 */
export async function knownVersions(
  db: Database,
  calendarId: string,
  externalIds: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await db.query<{ external_id: string; etag: string | null }>(
    `SELECT external_id, CASE WHEN NOT ${isRefused("events")} THEN etag END AS etag FROM events WHERE calendar_id = $1 AND external_id = ANY ($2::text[]) AND (${stored})
ORDER BY deleted_at NULLS LAST`,
    [calendarId, externalIds],
  );
  return new Map(rows.map(({ external_id, etag }) => [external_id, etag]));
}

/** The provider's names of all events of a calendar that are stored. */
export async function knownNames(db: Database, calendarId: string): Promise<Set<string>> {
  const rows = await db.query<{ external_id: string }>(
    `SELECT external_id FROM events WHERE calendar_id = $1 AND external_id IS NOT NULL AND (${stored})`,
    [calendarId],
  );
  return new Set(rows.map(({ external_id }) => external_id));
}

export interface Sweep {
  calendarId: string;
  /** The names of all that the provider has. */
  present: ReadonlySet<string>;
  /** The names that were known when the pull began: what was pushed meanwhile for the first time is not gone. Without it: those known now. */
  known?: ReadonlySet<string>;
  /** When the pull began, as PostgreSQL wrote it: what was pushed since then is left to the next full pull. */
  since?: string | null;
  /** What its provider had refused when the pull began, as `undoRefused` takes it: that goes too. */
  refused?: readonly string[];
  now: Instant;
}

/** Takes out of a calendar, after a full pull, what its provider no longer has; signalled like every change. Gives what `receiveEvents` gives. */
export async function sweepGone(
  db: Database,
  { calendarId, present, known, since, refused = [], now }: Sweep,
): Promise<ReceivingFault[]> {
  const names = known ?? (await knownNames(db, calendarId));
  const gone = [...names].filter((name) => !present.has(name));
  const faults = await receiveEvents(db, { calendarId, events: [], gone, now, since });
  await undoRefused(db, { calendarId, refused });
  return faults;
}
