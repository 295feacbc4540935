import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { wake } from "@/server/db/wake";
import type { EventState } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import { livingRow, saysTheSame } from "@/server/store/events/event-record";
import { deleteEvents } from "@/server/store/events/event-rows";
import { inOwnWords, type KeepsSeries } from "@/server/store/events/received-state";

export interface StoredPush {
  writeId: string;
  /** The revision of the row of provider_writes when it was claimed. */
  revision: number;
  lease: string;
  keepsSeries: KeepsSeries;
  pushed: {
    externalId: string;
    version: string | null;
    /** The event as the provider keeps it now. Null: deleted, or unknown. */
    state: EventState | null;
    /** The state that was sent: later writes of the application are compared with it. */
    said?: EventState | null;
    /** It contains remote changes that no sync has read. */
    tookRemote?: boolean;
  };
}

/**
 * Stores that a provider has accepted a write, with its name and etag of the event. Where the provider keeps more than the application
 * wrote (a guest's reply, others' changes) the etag is left open, so that the next sync reads and signals it. What was written since
 * the claim is due at once, based on that etag. Returns false, and stores nothing, when the lease was lost or the write no longer
 * exists.
 */
export async function storePushed(db: Database, push: StoredPush): Promise<boolean> {
  const outcome = await db.transaction((query) => store(query, push));
  if (outcome === "again") wake("push");
  return outcome !== "lost";
}

async function store(
  query: Query,
  { writeId, revision, lease, keepsSeries, pushed }: StoredPush,
): Promise<"done" | "again" | "lost"> {
  await query(
    "SELECT FROM calendars WHERE id = (SELECT calendar_id FROM provider_writes WHERE id = $1) FOR NO KEY UPDATE",
    [writeId],
  );
  const [write] = await query<Write>(
    `SELECT w.event_row AS "eventRow", w.calendar_id AS "calendarId", w.revision FROM provider_writes w JOIN events e ON e.id = w.event_row WHERE w.id = $1 AND w.lease = $2 FOR UPDATE OF w`,
    [writeId, lease],
  );
  if (!write) return "lost";
  const isLast = write.revision === revision;
  const living = await livingRow(query, write.eventRow);
  const keeps = () => living && pushed.state && keepsMore(living.state, pushed.state, keepsSeries);
  const isMore = pushed.tookRemote || (isLast && keeps());
  if (living || !isLast) await name(query, write, isMore ? { ...pushed, version: null } : pushed);
  else await query("UPDATE events SET pushed_at = clock_timestamp() WHERE id = $1", [write.eventRow]);
  if (isLast) {
    await query("DELETE FROM provider_writes WHERE id = $1", [writeId]);
    return "done";
  }
  await query(
    `UPDATE provider_writes SET lease = NULL, leased_until = NULL, attempts = 0, due_at = coalesce($2::timestamptz, clock_timestamp()),
  changed_fields = $3, remote_change_deferred = false WHERE id = $1`,
    [writeId, databaseTime(), living && pushed.said ? changedFieldsOf(pushed.said, living.state) : null],
  );
  return "again";
}

/** A provider's own spelling of the application's values adds nothing. */
function keepsMore(own: EventState, read: EventState, keepsSeries: KeepsSeries): boolean {
  const { summary, description, location, url, span, tzid, transparency } = own;
  const spelt = { summary, description, location, url, span, tzid, transparency };
  return !saysTheSame(own, { ...inOwnWords(own, read, keepsSeries), ...spelt });
}

interface Write {
  eventRow: string;
  calendarId: string;
  revision: number;
}

/** A sync that read the event before this was stored has stored it as somebody else's event: that duplicate is deleted. */
async function name(query: Query, { eventRow, calendarId }: Write, pushed: StoredPush["pushed"]): Promise<void> {
  const { externalId, version, said } = pushed;
  const base = said?.ruleSeries ? JSON.stringify(said.ruleSeries) : null;
  await query(
    "UPDATE events SET external_id = $2, etag = $3, base_recurrence = $4, pushed_at = clock_timestamp() WHERE id = $1",
    [eventRow, externalId, version, base],
  );
  const doubles = await query<{ id: string }>(
    "SELECT id FROM events WHERE calendar_id = $1 AND external_id = $2 AND id <> $3 AND deleted_at IS NULL",
    [calendarId, externalId, eventRow],
  );
  const ids = doubles.map(({ id }) => id);
  if (ids.length > 0) await deleteEvents(query, calendarId, ids);
}
