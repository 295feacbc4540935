import { z } from "zod";
import { parseDay } from "@/server/domain/time/day";
import { lockCalendar, onCalendar } from "@/server/services/events/on-calendar";
import { eventId } from "@/server/services/events/write/input";
import { deleteEvent } from "@/server/services/events/write/stored";
import { refused } from "@/server/services/fields";
import { invalid } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

const date = z.string().superRefine((value, { issues }) => {
  if (parseDay(value) === null)
    issues.push(refused(value, { key: "errors.invalid" }, "must be a date such as 2026-11-21"));
});

/** The body of DELETE /v1/calendars/{id}/events. */
export const deleteBody = z.object({
  event_id: eventId,
  occurrence_date: date.optional(),
  notify_attendees: z.boolean().default(true),
});

/** DELETE /v1/calendars/{id}/events: succeeds also when there is no such event. */
export const removeEvent = accountProcedure.input(onCalendar(deleteBody)).mutation(async ({ input, ctx }) => {
  const { calendarId, body } = input;
  await ctx.db.transaction(async (query) => {
    await lockCalendar(query, { calendarId, accountId: ctx.bearer.accountId });
    const [living] = await query<{ id: string }>(
      "SELECT id FROM events WHERE calendar_id = $1 AND event_id = $2 AND deleted_at IS NULL",
      [calendarId, body.event_id],
    );
    if (!living) return;
    if (body.occurrence_date !== undefined) {
      throw invalid({
        path: ["occurrence_date"],
        key: "errors.not_recurring",
        description: "occurrence_date names an event that does not repeat",
      });
    }
    await deleteEvent(query, calendarId, body.event_id);
  });
});
