import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { EventState } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import { connectorOf } from "@/server/providers/connectors";
import type { LockedCalendar } from "@/server/store/calendars/calendars.sql";
import { queueWriteStatement } from "@/server/store/provider-writes/provider-writes.sql";

export interface QueuedWrite {
  eventRow: string;
  /** The event before the write. Null: it is new. */
  before: EventState | null;
  /** The event after the write. Null: it is deleted. */
  after: EventState | null;
  /** Whether guests are notified. */
  notify: boolean;
}

/**
 * Queues an event for its calendar's provider, in the transaction of the write. Several writes of one event become one, which notifies
 * the guests if any of them did. A write of a disconnected profile starts suspended. Returns whether there is a provider to write to:
 * then call `wake("push")` after the commit.
 */
export async function queueWrite(query: Query, calendar: LockedCalendar, write: QueuedWrite): Promise<boolean> {
  if (calendar.provider === "hosted") return false;
  const { eventRow, before, after, notify } = write;
  const guests = (after ?? before)?.attendees.map(({ email }) => email) ?? [];
  const removed = before?.attendees.map(({ email }) => email).filter((email) => !guests.includes(email)) ?? [];
  const name = connectorOf(calendar.provider)?.nameOf(eventRow) ?? null;
  const changedFields = before && after && changedFieldsOf(before, after);
  await run(query, queueWriteStatement, [
    eventRow,
    calendar.id,
    notify,
    removed,
    guests,
    databaseTime(),
    changedFields,
    name,
  ]);
  return true;
}
