import { changeEvent, keptGuestIssues } from "@/server/services/events/change-event";
import { changeSeries, occurrenceDay } from "@/server/services/events/change-series";
import { onCalendar } from "@/server/services/events/on-calendar";
import { eventId, notifyAttendees } from "@/server/services/events/write/input";
import { sparse } from "@/server/services/fields";
import { invalid } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/** The body of DELETE /v1/calendars/{id}/events. */
export const deleteBody = sparse(
  {
    event_id: eventId,
    occurrence_date: occurrenceDay.describe("Delete only the occurrence originally on this day.").optional(),
    notify_attendees: notifyAttendees,
  },
  // Whoever meant one day, and does not know which, must not delete them all.
  ["occurrence_date"],
);

/**
 * Deletes an event, or with occurrence_date skips one of its days: DELETE /v1/calendars/{id}/events. Succeeds even if
 * there is no such event, or the day is skipped already.
 */
export const removeEvent = accountProcedure.input(onCalendar(deleteBody)).mutation(async ({ input, ctx }) => {
  const { occurrence_date: day } = input.body;
  await changeEvent(ctx, input, (before, calendar) => {
    if (!before) return { state: null };
    const issues = keptGuestIssues(before, calendar, input.body);
    const state = day === undefined ? null : changeSeries(before, day, { skip: true });
    if (issues.length > 0) throw invalid(...issues);
    return { state };
  });
});
