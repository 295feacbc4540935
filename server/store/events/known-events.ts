import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { RuleSeries } from "@/server/domain/events/event-state";
import type { EventParts } from "@/server/providers/writing";
import { type LivingEvent, livingOf } from "@/server/store/events/event-record";
import { eventsByName, eventsWithoutName, type KnownRecord } from "@/server/store/events/received.sql";

/** The stored data of an event that its provider reports. */
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
  /** A reply of the user still waits for the provider. */
  isReplying: boolean;
  removedGuests: readonly string[];
  /** The provider rejected the last write: its own state must be read again, so its etag counts as unknown. */
  isRefused: boolean;
  /** The fields that the rejected write changed (`changedFieldsOf`). */
  refusedFields: readonly string[];
  /** The series that both sides last agreed on. Null: unknown. */
  base: RuleSeries | null;
  /** Whether a push of it was stored since the requested time. */
  isPushedSince: boolean;
}

/** Selects events of a calendar. */
export interface KnownEventsInput {
  externalIds: readonly string[];
  /** The names under which events were created, by their provider names, where these differ. */
  createdAs?: ReadonlyMap<string, string>;
  /** As PostgreSQL writes a time. */
  since: string | null;
}

/** A server may name a resource after its UID, which is the id of the event's row. */
const rowId = /evt_[0-9a-f]{24}/;

/**
 * Loads the events with these provider names: the live ones, otherwise those deleted last. An event whose push reached
 * the provider without being stored is recognised by the name that it was to be created under.
 */
export async function knownEvents(
  query: Query,
  calendarId: string,
  input: KnownEventsInput,
): Promise<Map<string, KnownEvent>> {
  const { externalIds, since } = input;
  const named = await run(query, eventsByName, [calendarId, externalIds, since]);
  const known = new Map(named.map((row) => [row.external_id ?? "", knownEventOf(row)]));
  for (const [name, row] of await eventsByCreationName(query, calendarId, input))
    if (!known.has(name)) known.set(name, knownEventOf(row));
  return known;
}

/** Loads events whose provider name was not stored, by that name. */
async function eventsByCreationName(
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

function knownEventOf(row: KnownRecord): KnownEvent {
  return {
    externalId: row.external_id,
    etag: row.is_refused ? null : row.etag,
    parts: row.parts ?? {},
    eventId: row.event_id,
    isDeleted: row.is_deleted,
    isUnpushed: row.removed_guests !== null,
    isBeingPushed: row.is_being_pushed ?? false,
    isReplying: row.is_replying ?? false,
    removedGuests: row.removed_guests ?? [],
    isRefused: row.is_refused,
    refusedFields: row.refused_fields ?? [],
    base: row.base_recurrence,
    isPushedSince: row.is_pushed_since,
    ...livingOf(row),
  };
}
