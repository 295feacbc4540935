import type { Query } from "@/server/db/client";
import { type EventRecord, eventColumns, type LivingEvent, livingOf } from "@/server/services/events/state";

/** What is stored of an event that its provider tells of. */
export interface KnownEvent extends LivingEvent {
  /** Null: its provider has it by now, but the push that told it has not been stored. */
  externalId: string | null;
  etag: string | null;
  /** Of a deleted event only when the application has not used it again. */
  eventId: string | null;
  isDeleted: boolean;
  /** Its provider has not heard yet what it says, or that it is deleted. */
  isUnpushed: boolean;
  removedGuests: readonly string[];
}

interface Row extends EventRecord {
  external_id: string | null;
  etag: string | null;
  event_id: string | null;
  is_deleted: boolean;
  removed_guests: string[] | null;
}

/** What a resource of ours is named after: the row of its event, plain or as a digest. */
const ownName = /evt_[0-9a-f]{24}|[0-9a-f]{64}/;

/**
 * The events that a provider calls so, by those names: the living ones, else those that were deleted last. Among them are events
 * whose push reached the provider without being stored, which are known by their row.
 */
export async function knownEvents(
  query: Query,
  calendarId: string,
  externalIds: readonly string[],
): Promise<Map<string, KnownEvent>> {
  const named = await query<Row>(
    `SELECT DISTINCT ON (external_id) ${columns} WHERE e.calendar_id = $1 AND external_id = ANY ($2::text[]) ${newest}`,
    [calendarId, externalIds],
  );
  const known = new Map(named.map((row) => [row.external_id ?? "", knownOf(row)]));
  for (const [name, row] of await unnamed(query, calendarId, externalIds))
    if (!known.has(name)) known.set(name, knownOf(row));
  return known;
}

/** Events whose provider's name was not stored: by that name. */
async function unnamed(query: Query, calendarId: string, externalIds: readonly string[]): Promise<[string, Row][]> {
  const names = new Map(externalIds.flatMap((name) => (ownName.exec(name) ?? []).map((own) => [own, name] as const)));
  if (names.size === 0) return [];
  const rows = await query<Row & { own: string }>(
    `SELECT CASE WHEN e.id = ANY ($2::text[]) THEN e.id ELSE ${digest} END AS own, ${columns}
WHERE e.calendar_id = $1 AND external_id IS NULL AND (e.id = ANY ($2::text[]) OR ${digest} = ANY ($2::text[]))`,
    [calendarId, [...names.keys()]],
  );
  return rows.map(({ own, ...row }) => [names.get(own) ?? "", row]);
}

const digest = "encode(sha256(convert_to(e.id, 'UTF8')), 'hex')";
const columns = `${eventColumns}, external_id, etag, deleted_at IS NOT NULL AS is_deleted, w.removed_guests,
CASE WHEN deleted_at IS NULL OR NOT EXISTS (SELECT FROM events o
  WHERE o.calendar_id = e.calendar_id AND o.event_id = e.event_id AND o.deleted_at IS NULL) THEN event_id END AS event_id
FROM events e LEFT JOIN LATERAL (SELECT removed_guests FROM provider_writes WHERE event_row = e.id AND refused_at IS NULL) w ON true`;
const newest = "ORDER BY external_id, deleted_at DESC NULLS FIRST";

function knownOf(row: Row): KnownEvent {
  return {
    ...livingOf(row),
    externalId: row.external_id,
    etag: row.etag,
    eventId: row.event_id,
    isDeleted: row.is_deleted,
    isUnpushed: row.removed_guests !== null,
    removedGuests: row.removed_guests ?? [],
  };
}
