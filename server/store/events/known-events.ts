import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { RuleSeries } from "@/server/domain/events/event-state";
import type { EventParts } from "@/server/providers/connector";
import { type LivingEvent, livingOf } from "@/server/store/events/event-record";
import { eventsByName, eventsWithoutName, type KnownRecord } from "@/server/store/events/received.sql";

/** What is stored of an event that its provider reports. */
export interface KnownEvent extends LivingEvent {
  /** Null: the provider has the event, but the push that created it has not been stored. */
  externalId: string | null;
  etag: string | null;
  parts: EventParts;
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
  /** What that write changed (`changedFieldsOf`). */
  refusedFields: readonly string[];
  /** Its series as both sides last had it. Null: unknown. */
  base: RuleSeries | null;
  /** A push of it was stored since the requested time. */
  isPushedSince: boolean;
}

/** Selects events of a calendar. */
export interface KnownEventsInput {
  externalIds: readonly string[];
  /** By their provider names the names that events were created under, where these are others. */
  createdAs?: ReadonlyMap<string, string>;
  /** As PostgreSQL writes a time. */
  since: string | null;
}

/** A server may name a resource after its UID, which is the id of the event's row. */
const rowId = /evt_[0-9a-f]{24}/;

/**
 * The events with these provider names: the live ones, otherwise those deleted last. An event whose push reached the provider without
 * being stored is recognised by the name that it was to be created under.
 */
export async function knownEvents(
  query: Query,
  calendarId: string,
  input: KnownEventsInput,
): Promise<Map<string, KnownEvent>> {
  const { externalIds, since } = input;
  const named = await run(query, eventsByName, [calendarId, externalIds, since]);
  const known = new Map(named.map((row) => [row.external_id ?? "", knownOf(row)]));
  for (const [name, row] of await unnamed(query, calendarId, input))
    if (!known.has(name)) known.set(name, knownOf(row));
  return known;
}

/** Events whose provider name was not stored, by that name. */
async function unnamed(
  query: Query,
  calendarId: string,
  { externalIds, createdAs, since }: KnownEventsInput,
): Promise<[string, KnownRecord][]> {
  const names = new Map(
    externalIds.flatMap((name) => {
      const segment = createdAs?.get(name) ?? name.split("/").at(-1) ?? "";
      return [segment, ...(rowId.exec(name) ?? [])].map((own) => [own, name] as const);
    }),
  );
  if (names.size === 0) return [];
  const rows = await run(query, eventsWithoutName, [calendarId, [...names.keys()], since]);
  return rows.map(({ own, ...row }) => [names.get(own ?? "") ?? "", row]);
}

function knownOf(row: KnownRecord): KnownEvent {
  return {
    externalId: row.external_id,
    etag: row.is_refused ? null : row.etag,
    parts: row.parts ?? {},
    eventId: row.event_id,
    isDeleted: row.is_deleted,
    isUnpushed: row.removed_guests !== null,
    isBeingPushed: row.is_being_pushed ?? false,
    removedGuests: row.removed_guests ?? [],
    isRefused: row.is_refused,
    refusedFields: row.refused_fields ?? [],
    base: row.base_recurrence,
    isPushedSince: row.is_pushed_since,
    ...livingOf(row),
  };
}
