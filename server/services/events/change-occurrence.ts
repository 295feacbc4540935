import { z } from "zod";
import { guestIssues } from "@/server/domain/calendars/guest-rules";
import { span } from "@/server/domain/events/moment";
import { MAX_DESCRIPTION, MAX_LOCATION, MAX_SUMMARY } from "@/server/domain/events/text-limits";
import type { Issue } from "@/server/domain/issues";
import type { Change } from "@/server/domain/recurrence/exceptions";
import type { Instant } from "@/server/domain/time/instant";
import { changeSeries, occurrenceDay } from "@/server/services/events/change-series";
import { moment, spanOf } from "@/server/services/events/moment";
import { lockCalendar, onCalendar } from "@/server/services/events/on-calendar";
import { type EventState, livingEvent } from "@/server/services/events/state";
import { eventId } from "@/server/services/events/write/input";
import { updateEvent } from "@/server/services/events/write/stored";
import { always, refused, text, timeZone } from "@/server/services/fields";
import { invalid, Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/** The body of POST /v1/calendars/{id}/events/occurrences. */
export const occurrenceBody = z
  .object({
    event_id: eventId,
    occurrence_date: occurrenceDay,
    start: moment.optional(),
    end: moment.optional(),
    tzid: timeZone.optional(),
    summary: text({ max: MAX_SUMMARY }).optional(),
    description: text({ max: MAX_DESCRIPTION }).optional(),
    location: z.object({ description: text({ max: MAX_LOCATION }).optional() }).optional(),
    notify_attendees: z.boolean().default(true),
  })
  .superRefine(spanOf, always)
  .superRefine(bothOrNeither, always)
  .superRefine(somethingChanges, always);

type OccurrenceBody = z.output<typeof occurrenceBody>;

/**
 * POST /v1/calendars/{id}/events/occurrences: says of one day of a series what it has of its own, in place of what was said
 * before; a skipped day comes back. Refuses with 422 for the body, 404 and 403 for the calendar and the event, then 422 for the day.
 */
export const changeOccurrence = accountProcedure.input(onCalendar(occurrenceBody)).mutation(async ({ input, ctx }) => {
  const { calendarId, body } = input;
  await ctx.db.transaction(async (query) => {
    const { provider } = await lockCalendar(query, { calendarId, accountId: ctx.bearer.accountId });
    const living = await livingEvent(query, calendarId, body.event_id);
    if (!living) throw new Refusal({ kind: "not_found" });
    const { attendees } = living.state;
    const guests = guestIssues({
      provider,
      change: null,
      before: attendees,
      guests: attendees,
      notify: body.notify_attendees,
    });
    const state = changeSeries(living.state, body.occurrence_date, changeOf(body));
    const issues = [...guests, ...kindIssues(body, living.state)];
    if (issues.length > 0) throw invalid(...issues);
    await updateEvent(
      query,
      { calendarId, eventId: body.event_id, externalId: null, now: ctx.now as Instant },
      living,
      state,
    );
  });
});

function changeOf({ start, end, summary, description, location }: OccurrenceBody): Omit<Change, "day"> {
  const times = start && end ? span(start, end) : null;
  if (typeof times === "string") throw new Error("the schema lets no such span through");
  return {
    span: times && { starts: times.starts, ends: times.ends, allDay: times.allDay },
    texts: {
      ...(summary !== undefined && { summary }),
      ...(description !== undefined && { description }),
      ...(location?.description !== undefined && { location: location.description }),
    },
  };
}

/** "times for a timed series, dates for an all-day series" ("Recurrence rule"). */
function kindIssues({ start }: OccurrenceBody, { span: { allDay } }: EventState): Issue[] {
  if (!start || (start.kind === "day") === allDay) return [];
  const description = `start must be a ${allDay ? "date in an all-day series" : "time in a series that has times"}`;
  return [{ path: ["start"], key: "errors.invalid", description }];
}

function bothOrNeither(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const { start, end } = (value ?? {}) as Partial<OccurrenceBody>;
  if ((start === undefined) === (end === undefined)) return;
  const missing = start === undefined ? "start" : "end";
  issues.push({
    ...refused(undefined, { key: "errors.required" }, "is required: start and end go together"),
    path: [missing],
  });
}

function somethingChanges(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  if (typeof value !== "object" || value === null) return;
  const { start, end, summary, description, location } = value as Partial<OccurrenceBody>;
  if ([start, end, summary, description, location?.description].some((field) => field !== undefined)) return;
  const message = "needs at least one of start and end, summary, description, location.description";
  issues.push(refused(value, { key: "errors.required" }, message));
}
