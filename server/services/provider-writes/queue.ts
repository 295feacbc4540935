import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { Guest } from "@/server/domain/events/guests";
import type { LockedCalendar } from "@/server/services/events/on-calendar";

export interface QueuedWrite {
  eventRow: string;
  /** The event's guests before and after the write. */
  before: readonly Guest[];
  after: readonly Guest[];
  /** Whether guests are told. */
  notify: boolean;
}

/**
 * Notes in a write's transaction that the calendar's provider has to hear of it; several writes of one event become one, which tells
 * the guests when any of them did. Gives whether there is somebody to tell: then call `wake("push")` after the commit.
 */
export async function queueWrite(query: Query, calendar: LockedCalendar, write: QueuedWrite): Promise<boolean> {
  if (calendar.provider === "hosted") return false;
  const { eventRow, before, after, notify } = write;
  const there = after.map(({ email }) => email);
  const removed = before.map(({ email }) => email).filter((email) => !there.includes(email));
  await query(raise, [eventRow, calendar.id, notify, removed, there, databaseTime()]);
  return true;
}

/** Whoever holds the lease goes on; the round tells it that there is more to say. */
const raise = `INSERT INTO provider_writes AS w (event_row, calendar_id, profile_id, account_id, notify, removed_guests, due_at, created_at)
SELECT $1, id, profile_id, account_id, $3::boolean, $4::text[], t.now, t.now
FROM calendars, (SELECT coalesce($6::timestamptz, clock_timestamp()) AS now) t WHERE id = $2
ON CONFLICT (event_row) DO UPDATE SET round = w.round + 1, notify = w.notify OR excluded.notify,
  removed_guests = ARRAY(SELECT unnest(w.removed_guests || excluded.removed_guests) EXCEPT SELECT unnest($5::text[])),
  due_at = excluded.due_at, created_at = excluded.created_at, attempts = 0, refused_at = NULL, undone_at = NULL,
  last_error = NULL`;
