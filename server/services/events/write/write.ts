import { span } from "@/server/domain/events/moment";
import { freeBusyStatus } from "@/server/domain/free-busy";
import { lockCalendar, onCalendar } from "@/server/services/events/on-calendar";
import { type EventBody, eventBody } from "@/server/services/events/write/input";
import { findLiving, insertEvent, type StoredEvent, updateEvent } from "@/server/services/events/write/stored";
import { accountProcedure } from "@/server/services/trpc";

/**
 * POST /v1/calendars/{id}/events: creates the event of this event_id, or replaces it. The same body twice changes nothing.
 * Refuses with 422 for the body, then 404 and 403 for the calendar.
 */
export const writeEvent = accountProcedure.input(onCalendar(eventBody)).mutation(async ({ input, ctx }) => {
  const { calendarId, body } = input;
  const { accountId, email, name } = ctx.bearer;
  const event = storedEvent(body);
  await ctx.db.transaction(async (query) => {
    await lockCalendar(query, { calendarId, accountId });
    const living = await findLiving(query, calendarId, body.event_id, event);
    if (!living)
      await insertEvent(query, calendarId, body.event_id, { ...event, organizer: { email, display_name: name } });
    else if (!living.same) await updateEvent(query, calendarId, living.id, event);
  });
});

function storedEvent(body: EventBody): StoredEvent {
  const stored = span(body.start, body.end);
  if (typeof stored === "string") throw new Error("the schema lets no such span through");
  return {
    span: stored,
    summary: body.summary,
    description: body.description ?? "",
    location: body.location?.description ?? null,
    url: body.url ?? null,
    tzid: body.tzid?.tzid ?? body.start.tzid ?? null,
    transparency: body.transparency,
    freeBusy: freeBusyStatus({ transparency: body.transparency, status: "confirmed", participationStatus: "accepted" }),
  };
}
