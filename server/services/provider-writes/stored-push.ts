import { clock } from "@/server/clock";
import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { wake } from "@/server/db/wake";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { withReplies } from "@/server/services/events/received-state";
import { livingRow } from "@/server/services/events/state";
import { deleteEvents, updateEvent } from "@/server/services/events/write/stored";

export interface StoredPush {
  writeId: string;
  /** What the row of provider_writes said when it was claimed. */
  round: number;
  lease: string;
  pushed: {
    externalId: string;
    version: string | null;
    /** As the provider keeps it now; null: deleted, or unknown. */
    state: EventState | null;
  };
}

/**
 * Notes that a provider has heard a write: its name and version of the event, and its replies and guests, which signal nothing
 * ("Changes the application made itself … are never notified"). What was written since the claim is due at once. Gives false, and
 * notes nothing, when the lease was lost or the write is gone.
 */
export async function storePushed(db: Database, push: StoredPush): Promise<boolean> {
  const outcome = await db.transaction((query) => store(query, push));
  if (outcome === "again") wake("push");
  return outcome !== "lost";
}

async function store(query: Query, { writeId, round, lease, pushed }: StoredPush): Promise<"done" | "again" | "lost"> {
  await query(
    "SELECT FROM calendars WHERE id = (SELECT calendar_id FROM provider_writes WHERE id = $1) FOR NO KEY UPDATE",
    [writeId],
  );
  const [write] = await query<Write>(
    `SELECT w.event_row AS "eventRow", w.calendar_id AS "calendarId", e.event_id AS "eventId", w.round, w.removed_guests AS "removedGuests"
FROM provider_writes w JOIN events e ON e.id = w.event_row WHERE w.id = $1 AND w.lease = $2 FOR UPDATE OF w`,
    [writeId, lease],
  );
  if (!write) return "lost";
  const isLast = write.round === round;
  const living = await livingRow(query, write.eventRow);
  if (living || !isLast) await name(query, write, pushed);
  if (living && pushed.state) {
    const state = withReplies(living.state, pushed.state, write.removedGuests);
    const { calendarId, eventId } = write;
    const target = { calendarId, eventId, externalId: pushed.externalId, now: clock().now() as Instant };
    await updateEvent(query, target, living, state);
  }
  if (isLast) {
    await query("DELETE FROM provider_writes WHERE id = $1", [writeId]);
    return "done";
  }
  await query(
    `UPDATE provider_writes SET lease = NULL, leased_until = NULL, attempts = 0, due_at = coalesce($2::timestamptz, clock_timestamp())
WHERE id = $1`,
    [writeId, databaseTime()],
  );
  return "again";
}

interface Write {
  eventRow: string;
  calendarId: string;
  eventId: string | null;
  round: number;
  removedGuests: string[];
}

/** A sync that read the event before this was stored has taken it for one of others: that one goes. */
async function name(query: Query, { eventRow, calendarId }: Write, pushed: StoredPush["pushed"]): Promise<void> {
  const { externalId, version } = pushed;
  await query("UPDATE events SET external_id = $2, etag = $3 WHERE id = $1", [eventRow, externalId, version]);
  const doubles = await query<{ id: string }>(
    "SELECT id FROM events WHERE calendar_id = $1 AND external_id = $2 AND id <> $3 AND deleted_at IS NULL",
    [calendarId, externalId, eventRow],
  );
  const ids = doubles.map(({ id }) => id);
  if (ids.length > 0) await deleteEvents(query, calendarId, ids);
}
