import type { Database } from "@/server/db/client";
import type { Interval } from "@/server/domain/availability/intervals";
import { askedCalendars, type MemberTime } from "@/server/services/availability/members";
import { Refusal } from "@/server/services/refusal";
import { type BookedRow, withInvitations } from "@/server/store/bookings/invitations";
import { askProviders } from "@/server/store/busy/ask-providers";

/** What is asked of the providers before a booking. */
export interface LiveQuestion {
  members: ReadonlyMap<string, MemberTime>;
  range: Interval;
  /** The event that is booked: neither it nor its invitations are in its way. */
  own: BookedRow;
  /** Whether a provider that can't be asked is passed over. */
  mayMiss: boolean;
}

/**
 * Asks the providers what time is taken right now, in all calendars that have to be free. Throws `unreachable` with the
 * account whose provider did not answer within five seconds.
 */
export async function liveBusyTime(
  db: Database,
  { members, range, own, mayMiss }: LiveQuestion,
): Promise<Map<string, readonly Interval[]>> {
  // The time of the others is refused anyway.
  const known = [...members.values()].filter(({ problem }) => problem === null);
  const calendars = askedCalendars(known);
  const calendarIds = calendars.map(({ calendarId }) => calendarId);
  const without = await withInvitations(db.query, own, calendarIds);
  const { busy, missing } = await askProviders(db, { calendarIds, range, without });
  const lost = calendars.find(({ calendarId }) => missing.has(calendarId));
  if (lost && !mayMiss) throw new Refusal({ kind: "unreachable", sub: lost.sub });
  return busy;
}
