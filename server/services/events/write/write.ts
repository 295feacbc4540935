import { changeEvent } from "@/server/services/events/change-event";
import { onCalendar } from "@/server/services/events/on-calendar";
import { eventBody } from "@/server/services/events/write/input";
import { nextState, ownTextsOf } from "@/server/services/events/write/next-state";
import { accountProcedure } from "@/server/services/trpc";

/**
 * Creates the event of an event_id, or replaces it: POST /v1/calendars/{id}/events. Texts that others filled in stay where the body leaves
 * them out. The same body twice changes nothing.
 * Refuses with 422 for the body, then 404 and 403 for the calendar, then 422 for what the calendar cannot carry out.
 */
export const writeEvent = accountProcedure.input(onCalendar(eventBody)).mutation(async ({ input, ctx }) => {
  const owner = { email: ctx.bearer.email, display_name: ctx.bearer.name };
  await changeEvent(ctx, input, (before, calendar, ownTexts) => ({
    state: nextState(input.body, before, { owner, ...calendar }, ownTexts),
    ownTexts: ownTextsOf(input.body),
  }));
});
