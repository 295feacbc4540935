import type { Query } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import { deleteEventsOfCalendar, dropWritesOfCalendar } from "@/server/store/calendars/calendars.sql";

/**
 * Marks all events of a calendar deleted, in the caller's transaction, which has locked the calendar. Waiting writes to its provider
 * are dropped. Returns whether the application had written any of the events.
 */
export async function emptyCalendar(query: Query, calendarId: string): Promise<{ hadManaged: boolean }> {
  await run(query, dropWritesOfCalendar, [calendarId]);
  const gone = await runOne(query, deleteEventsOfCalendar, [calendarId]);
  return { hadManaged: gone.hadManaged === true };
}
