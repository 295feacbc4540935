import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { overlap } from "@/server/domain/availability/intervals";
import { inTimeOf } from "@/server/domain/availability/taken-time";
import { UTC, zone } from "@/server/domain/time/zone";
import { noteConflicts, type OverlapRow, overlaps } from "@/server/store/bookings/conflicts.sql";

/**
 * Notes the bookings whose time in a calendar others have just taken, at its provider or in the sandbox: nothing is
 * deleted by itself. `since`: the time of their change, in milliseconds. In a transaction that has locked the calendar.
 */
export async function noteBookingConflicts(
  query: Query,
  { calendarId, since }: { calendarId: string; since: number },
): Promise<void> {
  const rows = await run(query, overlaps, [calendarId, new Date(since)]);
  const taken = [...new Set(rows.filter(takesBooked).map(({ eventRow }) => eventRow))];
  if (taken.length > 0) await run(query, noteConflicts, [calendarId, taken]);
}

/** Reports whether two occurrences overlap. All-day ones are days in the zones of their owners. */
function takesBooked({ bookedAllDay, bookedStarts, bookedEnds, bookedTzid, tzid, ...other }: OverlapRow): boolean {
  const span = { allDay: bookedAllDay, starts: bookedStarts, ends: bookedEnds };
  return overlap(inTimeOf(zone(bookedTzid) ?? UTC, span), inTimeOf(zone(tzid) ?? UTC, other));
}
