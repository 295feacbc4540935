import type { Query } from "@/server/db/client";
import type { RuleSeries } from "@/server/domain/events/event-state";
import { type EventRecord, eventColumns, type LivingEvent, livingOf } from "@/server/store/events/event-record";
import { isRefusedWrite } from "@/server/store/events/refused-write";

/** What is stored of an event that its provider reports. */
export interface KnownEvent extends LivingEvent {
  /** Null: the provider has the event, but the push that created it has not been stored. */
  externalId: string | null;
  etag: string | null;
  /** For a deleted event, only if the application has not used the id again. */
  eventId: string | null;
  isDeleted: boolean;
  /** A write of this event, or its deletion, still waits for the provider. */
  isUnpushed: boolean;
  /** A process is writing it to the provider, and would overwrite what is stored here. */
  isBeingPushed: boolean;
  removedGuests: readonly string[];
  /** The provider rejected the last write: its own state must be read again, so its etag counts as unknown. */
  isRefused: boolean;
  /** Its series as both sides last had it. Null: unknown. */
  base: RuleSeries | null;
  /** A push of it was stored since the requested time. */
  isPushedSince: boolean;
}

/** Selects events of a calendar. */
export interface KnownEventsInput {
  externalIds: readonly string[];
  /** As PostgreSQL writes a time. */
  since: string | null;
}

interface Row extends EventRecord {
  external_id: string | null;
  etag: string | null;
  event_id: string | null;
  is_deleted: boolean;
  removed_guests: string[] | null;
  is_being_pushed: boolean | null;
  base_recurrence: RuleSeries | null;
  is_pushed_since: boolean;
  is_refused: boolean;
}

/** A resource of ours is named after the id of its event's row, plain or as a digest. */
const ownName = /evt_[0-9a-f]{24}|[0-9a-f]{64}/;

/**
 * The events with these provider names: the live ones, otherwise those deleted last. An event whose push reached the provider without
 * being stored is recognised by its row id.
 */
export async function knownEvents(
  query: Query,
  calendarId: string,
  { externalIds, since }: KnownEventsInput,
): Promise<Map<string, KnownEvent>> {
  const named = await query<Row>(
    `SELECT DISTINCT ON (external_id) ${columns} WHERE e.calendar_id = $1 AND external_id = ANY ($2::text[]) ${newest}`,
    [calendarId, externalIds, since],
  );
  const known = new Map(named.map((row) => [row.external_id ?? "", knownOf(row)]));
  for (const [name, row] of await unnamed(query, calendarId, { externalIds, since }))
    if (!known.has(name)) known.set(name, knownOf(row));
  return known;
}

/** SQL for whether a provider rejected the event's last write, and its own state has not been read since. */
export function isRefused(event: string): string {
  return `EXISTS (SELECT FROM provider_writes r WHERE r.event_row = ${event}.id AND ${isRefusedWrite("r")})`;
}

/** Events whose provider name was not stored, by that name. */
async function unnamed(
  query: Query,
  calendarId: string,
  { externalIds, since }: KnownEventsInput,
): Promise<[string, Row][]> {
  const names = new Map(externalIds.flatMap((name) => (ownName.exec(name) ?? []).map((own) => [own, name] as const)));
  if (names.size === 0) return [];
  const rows = await query<Row & { own: string }>(
    `SELECT CASE WHEN e.id = ANY ($2::text[]) THEN e.id ELSE ${digest} END AS own, ${columns}
WHERE e.calendar_id = $1 AND external_id IS NULL AND (e.id = ANY ($2::text[]) OR ${digest} = ANY ($2::text[]))`,
    [calendarId, [...names.keys()], since],
  );
  return rows.map(({ own, ...row }) => [names.get(own) ?? "", row]);
}

const digest = "encode(sha256(convert_to(e.id, 'UTF8')), 'hex')";
const columns = `${eventColumns}, external_id, etag, deleted_at IS NOT NULL AS is_deleted, w.removed_guests, w.is_being_pushed, base_recurrence, ${isRefused("e")} AS is_refused,
 coalesce(pushed_at >= $3::timestamptz, false) AS is_pushed_since,
CASE WHEN deleted_at IS NULL OR NOT EXISTS (SELECT FROM events o
  WHERE o.calendar_id = e.calendar_id AND o.event_id = e.event_id AND o.deleted_at IS NULL) THEN event_id END AS event_id
FROM events e LEFT JOIN LATERAL (SELECT removed_guests, lease IS NOT NULL AS is_being_pushed FROM provider_writes
  WHERE event_row = e.id AND refused_at IS NULL) w ON true`;
const newest = "ORDER BY external_id, deleted_at DESC NULLS FIRST";

function knownOf(row: Row): KnownEvent {
  return {
    ...livingOf(row),
    externalId: row.external_id,
    etag: row.is_refused ? null : row.etag,
    eventId: row.event_id,
    isDeleted: row.is_deleted,
    isUnpushed: row.removed_guests !== null,
    isBeingPushed: row.is_being_pushed ?? false,
    removedGuests: row.removed_guests ?? [],
    isRefused: row.is_refused,
    base: row.base_recurrence,
    isPushedSince: row.is_pushed_since,
  };
}
