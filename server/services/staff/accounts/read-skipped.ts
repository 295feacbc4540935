import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { SkippedEvents } from "@/server/services/staff/accounts/shapes";
import { skipReason } from "@/server/services/staff/accounts/skip-reason";
import { skippedEvents } from "@/server/services/staff/accounts/skipped-events.sql";

export const NOTHING_SKIPPED: SkippedEvents = { count: 0, events: [] };

/** Reads what could not be read of an account's calendars, by the calendar's id. */
export async function readSkipped(query: Query, accountId: string): Promise<ReadonlyMap<string, SkippedEvents>> {
  const rows = await run(query, skippedEvents, [accountId]);
  const byCalendar = new Map<string, SkippedEvents>();
  for (const { calendarId, externalId, reason, readAt, count } of rows) {
    const entry = byCalendar.get(calendarId) ?? { count, events: [] };
    const name = externalId.split("/").at(-1) || externalId;
    entry.events.push({ externalId, name, reason: skipReason(reason), readAt: readAt.getTime() });
    byCalendar.set(calendarId, entry);
  }
  return byCalendar;
}
