import type { Query } from "@/server/db/client";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { livingRow } from "@/server/store/events/event-record";

/** An event to be written to its provider. */
export interface ToPush {
  /** The calendar's name at the provider. */
  calendar: string;
  externalId: string | null;
  version: string | null;
  /** The row's id: resources are named after it, so that one whose push was not stored is recognised. */
  uid: string;
  /** Null: the event is to be deleted. */
  state: EventState | null;
  /** Its series as both sides last had it. Null: unknown. */
  base: RuleSeries | null;
  /** What the application has changed since the provider last received the event. Null: everything, or unknown. */
  changedFields: string[] | null;
  /** A sync has since seen a remote change and left it to the push. */
  isRemoteChangeDeferred: boolean;
}

/**
 * Reads an event for a push. Null when its calendar no longer exists. The changed fields are read after the state, so that a write in
 * between is sent by the next push and never counts as unchanged.
 */
export async function readForPush(query: Query, eventRow: string): Promise<ToPush | null> {
  const living = await livingRow(query, eventRow);
  const [named] = await query<Omit<ToPush, "uid" | "state">>(
    `SELECT c.external_id AS calendar, e.external_id AS "externalId", e.etag AS version, e.base_recurrence AS base,
  w.changed_fields AS "changedFields", coalesce(w.remote_change_deferred, false) AS "isRemoteChangeDeferred" FROM events e JOIN calendars c ON c.id = e.calendar_id LEFT JOIN provider_writes w ON w.event_row = e.id WHERE e.id = $1 AND NOT c.deleted`,
    [eventRow],
  );
  if (!named) return null;
  return { ...named, uid: eventRow, state: living?.state ?? null };
}
