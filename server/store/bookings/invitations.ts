import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { invitationsTo } from "@/server/store/bookings/invitations.sql";

/** The event of a booking, by its calendar and the id of its row. */
export interface BookedRow {
  calendarId: string;
  eventRow: string;
  /** The row that its booking has named until now: that of a hold. Null: there is no such booking. */
  rowBefore: string | null;
}

/** Lists the rows of an event, of the booking that it has, and of its copies in the calendars of its guests, as they were read last. */
export async function withInvitations(
  query: Query,
  { calendarId, eventRow, rowBefore }: BookedRow,
  calendarIds: readonly string[],
): Promise<string[]> {
  const copies = await run(query, invitationsTo, [calendarId, eventRow, calendarIds]);
  return [eventRow, ...(rowBefore === null ? [] : [rowBefore]), ...copies.map(({ id }) => id)];
}
