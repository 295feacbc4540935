import type { Database } from "@/server/db/client";
import { settleConferencing } from "@/server/domain/events/conferencing";
import type { Instant } from "@/server/domain/time/instant";
import { livingEvent } from "@/server/store/events/event-record";
import { updateEvent } from "@/server/store/events/event-rows";

export interface MadeLink {
  calendarId: string;
  eventId: string;
  /** The link that the calendar made, or that it could make none. */
  made: Parameters<typeof settleConferencing>[1];
  now: Instant;
}

/**
 * What a calendar made of a meeting link that a write asked for: reads give it from now on, in place of `pending`. Nothing
 * happens when nobody waits for it any more: the event is gone, or its link was taken off meanwhile.
 */
export async function settleMeetingLink(db: Database, { calendarId, eventId, made, now }: MadeLink): Promise<void> {
  await db.transaction(async (query) => {
    await query("SELECT id FROM calendars WHERE id = $1 FOR NO KEY UPDATE", [calendarId]);
    const living = await livingEvent(query, calendarId, eventId);
    if (!living) return;
    const conferencing = settleConferencing(living.state.conferencing, made);
    const target = { calendarId, eventId, externalId: null, now };
    await updateEvent(query, target, living, { ...living.state, conferencing });
  });
}
