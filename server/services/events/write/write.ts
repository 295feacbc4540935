import { newId } from "@/server/db/new-id";
import { wake } from "@/server/db/wake";
import type { Instant } from "@/server/domain/time/instant";
import { lockCalendar, onCalendar } from "@/server/services/events/on-calendar";
import { eventBody } from "@/server/services/events/write/input";
import { nextState } from "@/server/services/events/write/next-state";
import { accountProcedure } from "@/server/services/trpc";
import { livingEvent } from "@/server/store/events/event-record";
import { insertEvent, updateEvent } from "@/server/store/events/event-rows";
import { queueWrite } from "@/server/store/provider-writes/queue";

/**
 * POST /v1/calendars/{id}/events: creates the event of this event_id, or replaces it. The same body twice changes nothing.
 * Refuses with 422 for the body, then 404 and 403 for the calendar, then 422 for what the calendar cannot carry out.
 */
export const writeEvent = accountProcedure.input(onCalendar(eventBody)).mutation(async ({ input, ctx }) => {
  const { calendarId, body } = input;
  const { accountId, email, name } = ctx.bearer;
  const isQueued = await ctx.db.transaction(async (query) => {
    const calendar = await lockCalendar(query, { calendarId, accountId });
    const living = await livingEvent(query, calendarId, body.event_id);
    const state = nextState(body, living?.state ?? null, { ...calendar, owner: { email, display_name: name } });
    const id = living?.id ?? newId("evt");
    const target = { id, calendarId, eventId: body.event_id, externalId: null, now: ctx.now as Instant };
    if (!living) await insertEvent(query, target, state);
    else if (!(await updateEvent(query, target, living, state)).isChanged) return false;
    const written = { before: living?.state ?? null, after: state };
    return await queueWrite(query, calendar, { eventRow: id, ...written, notify: body.notify_attendees });
  });
  if (isQueued) wake("push");
});
