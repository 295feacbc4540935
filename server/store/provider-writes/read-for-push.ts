import type { Query } from "@/server/db/client";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { livingRow } from "@/server/store/events/event-record";

/** An event as it is to be at its provider. */
export interface ToPush {
  /** The calendar's name at the provider. */
  calendar: string;
  externalId: string | null;
  version: string | null;
  /** The row's id: resources are named after it, so that one whose push was not stored is known again. */
  uid: string;
  /** Null: it is to be deleted. */
  state: EventState | null;
  /** Its series as the application and the provider both had it last; null: unknown. */
  base: RuleSeries | null;
  /** What the application has changed since its provider heard of it last; null: all of it, or unknown. */
  changedFields: string[] | null;
  /** A sync has read since that others changed it, and has left it to the push. */
  isRemoteChangeDeferred: boolean;
}

/**
 * What a provider has to be told of an event; null when it is gone with its calendar. What is touched is read after what it says: what
 * is written in between is then said by the next push, and never taken for untouched.
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
