import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { EventState } from "@/server/domain/events/event-state";
import { livingRow } from "@/server/store/events/event-record";
import { type WriteTarget, writeTarget } from "@/server/store/provider-writes/provider-writes.sql";

/** The row of an event, and its calendar. */
export interface EventRow {
  calendarId: string;
  eventRow: string;
}

/** An event to be written to its provider. */
export interface EventToPush extends WriteTarget {
  /** The row's id: resources are named after it, so that one whose push was not stored is recognised. */
  uid: string;
  /** Null: the event is to be deleted. */
  state: EventState | null;
}

/**
 * Reads an event for a push. Null when its calendar no longer exists. The changed fields are read after the state, so that a write in
 * between is sent by the next push and never counts as unchanged.
 */
export async function readForPush(query: Query, { calendarId, eventRow }: EventRow): Promise<EventToPush | null> {
  const living = await livingRow(query, calendarId, eventRow);
  const [target] = await run(query, writeTarget, [calendarId, eventRow]);
  if (!target) return null;
  return { ...target, uid: eventRow, state: living?.state ?? null };
}
