import { z } from "zod";
import { wake } from "@/server/db/wake";
import { guestIssues } from "@/server/domain/calendars/guest-rules";
import type { Instant } from "@/server/domain/time/instant";
import { changeSeries, occurrenceDay } from "@/server/services/events/change-series";
import { lockCalendar, onCalendar } from "@/server/services/events/on-calendar";
import { eventId, notifyAttendees } from "@/server/services/events/write/input";
import { invalid } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";
import { livingEvent } from "@/server/store/events/event-record";
import { deleteEvents, updateEvent } from "@/server/store/events/event-rows";
import { queueWrite } from "@/server/store/provider-writes/queue";

/** The body of DELETE /v1/calendars/{id}/events. */
export const deleteBody = z.object({
  event_id: eventId,
  occurrence_date: occurrenceDay.describe("Delete only the occurrence originally on this day.").optional(),
  notify_attendees: notifyAttendees,
});

/**
 * DELETE /v1/calendars/{id}/events: deletes an event, or with occurrence_date skips one of its days. Succeeds also when
 * there is no such event, and for a day that is skipped already.
 */
export const removeEvent = accountProcedure.input(onCalendar(deleteBody)).mutation(async ({ input, ctx }) => {
  const { calendarId, body } = input;
  const { occurrence_date: day } = body;
  const isQueued = await ctx.db.transaction(async (query) => {
    const calendar = await lockCalendar(query, { calendarId, accountId: ctx.bearer.accountId });
    const living = await livingEvent(query, calendarId, body.event_id);
    if (!living) return false;
    const { attendees } = living.state;
    const issues = guestIssues({
      provider: calendar.provider,
      change: null,
      before: attendees,
      guests: attendees,
      notify: body.notify_attendees,
    });
    const skipped = day === undefined ? null : changeSeries(living.state, day, { skip: true });
    if (issues.length > 0) throw invalid(...issues);
    const target = { calendarId, eventId: body.event_id, externalId: null, now: ctx.now as Instant };
    if (skipped === null) await deleteEvents(query, calendarId, [living.id]);
    else if (!(await updateEvent(query, target, living, skipped)).isChanged) return false;
    const written = { before: living.state, after: skipped };
    return await queueWrite(query, calendar, { eventRow: living.id, ...written, notify: body.notify_attendees });
  });
  if (isQueued) wake("push");
});
