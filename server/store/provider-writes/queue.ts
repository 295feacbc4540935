import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { EventState } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import type { LockedCalendar } from "@/server/store/calendars/locked-calendar";

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
  const there = (after ?? before)?.attendees.map(({ email }) => email) ?? [];
  const removed = before?.attendees.map(({ email }) => email).filter((email) => !there.includes(email)) ?? [];
  const changedFields = before && after && changedFieldsOf(before, after);
  await query(raise, [eventRow, calendar.id, notify, removed, there, databaseTime(), changedFields]);
  return true;
}

/** A push in progress continues, and the raised revision tells it that more has been written. A reverted write is not sent again. */
const raise = `INSERT INTO provider_writes AS w
  (event_row, calendar_id, profile_id, account_id, notify, removed_guests, changed_fields, suspended, due_at, created_at)
SELECT $1, c.id, profile_id, c.account_id, $3::boolean, $4::text[], $7::text[], NOT p.connected, t.now, t.now
FROM calendars c JOIN profiles p ON p.id = c.profile_id, (SELECT coalesce($6::timestamptz, clock_timestamp()) AS now) t WHERE c.id = $2
ON CONFLICT (event_row) DO UPDATE SET revision = w.revision + 1, notify = w.notify OR excluded.notify,
  removed_guests = ARRAY(SELECT unnest(w.removed_guests || excluded.removed_guests) EXCEPT SELECT unnest($5::text[])),
  changed_fields = CASE WHEN w.reverted_at IS NOT NULL THEN excluded.changed_fields WHEN w.changed_fields IS NOT NULL AND excluded.changed_fields IS NOT NULL
    THEN ARRAY(SELECT unnest(w.changed_fields) UNION SELECT unnest(excluded.changed_fields)) END,
  suspended = excluded.suspended, due_at = excluded.due_at, created_at = excluded.created_at, attempts = 0, refused_at = NULL,
  reverted_at = NULL, last_error = NULL`;
