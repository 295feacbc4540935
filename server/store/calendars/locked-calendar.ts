import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type CalendarToWrite, lockCalendar } from "@/server/store/calendars/calendars.sql";

/**
 * Locks an account's calendar for the rest of the transaction, so that its writes are serialized and the times in its
 * rows only increase. Returns undefined when the account has no such calendar.
 */
export async function lockedCalendar(
  query: Query,
  { calendarId, accountId }: { calendarId: string; accountId: string },
): Promise<CalendarToWrite | undefined> {
  const [calendar] = await run(query, lockCalendar, [calendarId, accountId]);
  return calendar;
}
