import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { settleConferencing } from "@/server/domain/events/conferencing";
import type { Instant } from "@/server/domain/time/instant";
import { lockCalendarRow } from "@/server/store/events/continue-series.sql";
import { livingEvent } from "@/server/store/events/event-record";
import { updateEvent } from "@/server/store/events/event-rows";

export interface SettleLinkInput {
  calendarId: string;
  eventId: string;
  /** The link that the calendar created, or that it could create none. */
  made: Parameters<typeof settleConferencing>[1];
  now: Instant;
}

/**
 * Stores the result of a requested meeting link: reads return it instead of `pending`. Nothing happens if the event is deleted or its
 * link was removed in the meantime.
 */
export async function settleMeetingLink(
  db: Database,
  { calendarId, eventId, made, now }: SettleLinkInput,
): Promise<void> {
  await db.transaction(async (query) => {
    await run(query, lockCalendarRow, [calendarId]);
    const living = await livingEvent(query, calendarId, eventId);
    if (!living) return;
    const conferencing = settleConferencing(living.state.conferencing, made);
    const target = { calendarId, eventId, externalId: null, now };
    await updateEvent(query, target, living, { ...living.state, conferencing });
  });
}
