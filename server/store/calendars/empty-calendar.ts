import type { Query } from "@/server/db/client";
import { queryOne } from "@/server/db/query-one";
import { stamp } from "@/server/store/calendars/locked-calendar";

/**
 * Marks all events of a calendar deleted, in the caller's transaction, which has locked the calendar. Waiting writes to its provider
 * are dropped. Returns whether the application had written any of the events.
 */
export async function emptyCalendar(query: Query, calendarId: string): Promise<{ hadManaged: boolean }> {
  await query("DELETE FROM provider_writes WHERE calendar_id = $1", [calendarId]);
  const gone = await queryOne<{ had_managed: boolean | null }>(
    query,
    `WITH ${stamp("NULL")}, e AS (
  UPDATE events SET deleted_at = changed_at, updated_at = changed_at, covered_until = NULL FROM stamp
  WHERE calendar_id = $1 AND deleted_at IS NULL RETURNING events.*),
o AS (UPDATE occurrences o SET state = 2, updated_at = e.updated_at FROM e WHERE o.master_id = e.id AND o.state <> 2)
SELECT bool_or(event_id IS NOT NULL) AS had_managed FROM e`,
    [calendarId],
  );
  return { hadManaged: gone.had_managed === true };
}
