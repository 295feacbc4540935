import { z } from "zod";
import type { EventState } from "@/server/domain/events/event-state";
import type { Issue } from "@/server/domain/issues";
import type { Change } from "@/server/domain/recurrence/exceptions";
import { MAX_DESCRIPTION, MAX_SUMMARY } from "@/server/domain/text-limits";
import { localMoment, type Moment, readMoment, span, spanWords } from "@/server/domain/time/moment";
import { type LocalTime, parseLocalTime } from "@/server/domain/time/rfc3339";
import { type Zone, zone } from "@/server/domain/time/zone";
import { docsAs } from "@/server/services/docs-as";
import { changeEvent, keptGuestIssues } from "@/server/services/events/change-event";
import { changeSeries, occurrenceDay } from "@/server/services/events/change-series";
import { bothOrNeither, moment, type SentMoment, spanOf } from "@/server/services/events/moment";
import { onCalendar } from "@/server/services/events/on-calendar";
import { eventId, eventLocation, notifyAttendees } from "@/server/services/events/write/input";
import { always, refused, sparse, text, timeZone } from "@/server/services/fields";
import { invalid, Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/** A start or end; a local time without a zone beside it is of `tzid`, and that is the series' own if omitted. */
type OccurrenceMoment = SentMoment | { kind: "local"; local: LocalTime };

const occurrenceMoment = z
  .unknown()
  .transform((value, ctx): OccurrenceMoment => {
    const { time, tzid } = (value ?? {}) as { time?: unknown; tzid?: unknown };
    const local = typeof time === "string" && tzid === undefined ? parseLocalTime(time) : null;
    if (local !== null) return { kind: "local", local };
    const isWhole = typeof time === "string" && tzid === undefined && readMoment(time, null) !== null;
    const read = moment.safeParse(isWhole ? time : value);
    if (read.success) return read.data;
    ctx.issues.push(...(read.error.issues as z.core.$ZodRawIssue[]));
    return z.NEVER;
  })
  .register(docsAs, { as: "EventTime" });

/** The body of POST /v1/calendars/{id}/events/occurrences. */
export const occurrenceBody = sparse({
  event_id: eventId,
  occurrence_date: occurrenceDay,
  start: occurrenceMoment.optional(),
  end: occurrenceMoment.optional(),
  tzid: timeZone.describe("Time zone of local times. Default: the series' time zone.").optional(),
  summary: text({ max: MAX_SUMMARY }).optional(),
  description: text({ max: MAX_DESCRIPTION }).optional(),
  location: eventLocation.optional(),
  notify_attendees: notifyAttendees,
})
  .superRefine(spanOf, always)
  .superRefine(bothOrNeither, always)
  .superRefine(somethingChanges, always);

type OccurrenceBody = z.output<typeof occurrenceBody>;

/**
 * Gives one day of a series what it has of its own, in place of what was said before: POST /v1/calendars/{id}/events/occurrences.
 * A skipped day comes back. Refuses with 422 for the body, 404 and 403 for the calendar and the event, then 422 for the day.
 */
export const changeOccurrence = accountProcedure.input(onCalendar(occurrenceBody)).mutation(async ({ input, ctx }) => {
  const { body } = input;
  await changeEvent(ctx, input, (before, calendar) => {
    if (!before) throw new Refusal({ kind: "not_found" });
    const guests = keptGuestIssues(before, calendar, body);
    const times = timesOf(body, before);
    const said = { span: "issues" in times ? null : times.span, texts: textsOf(body) };
    const state = changeSeries(before, body.occurrence_date, said);
    const issues = [...guests, ...("issues" in times ? times.issues : [])];
    if (issues.length > 0) throw invalid(...issues);
    return { state };
  });
});

function textsOf({ summary, description, location }: OccurrenceBody): Change["texts"] {
  return {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(location?.description !== undefined && { location: location.description }),
  };
}

/**
 * Reads the new time, or finds what is wrong with it: "times for a timed series, dates for an all-day series"
 * ("Recurrence rule").
 */
function timesOf(body: OccurrenceBody, state: EventState): Pick<Change, "span"> | { issues: Issue[] } {
  const { allDay } = state.span;
  const own = body.tzid?.zone ?? (state.tzid === null ? null : zone(state.tzid));
  const [start, end] = [settled(body.start, own), settled(body.end, own)];
  if (!start || !end) return { span: null };
  if ((start.kind === "day") !== allDay) {
    const description = `start must be a ${allDay ? "date in an all-day series" : "time in a series with times"}`;
    return { issues: [{ path: ["start"], key: "errors.invalid", description }] };
  }
  const times = span(start, end);
  if (typeof times !== "string") return { span: { starts: times.starts, ends: times.ends, allDay } };
  const reason = times === "end_before_start" ? times : undefined;
  const description = `end ${spanWords(times, start)}`;
  return { issues: [{ path: ["end"], key: "errors.invalid", description, reason }] };
}

function settled(moment: OccurrenceMoment | undefined, own: Zone | null): Moment | undefined {
  return moment?.kind === "local" ? localMoment(own, moment.local) : moment;
}

function somethingChanges(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  if (typeof value !== "object" || value === null) return;
  const { start, end, summary, description, location } = value as Partial<OccurrenceBody>;
  if ([start, end, summary, description, location?.description].some((field) => field !== undefined)) return;
  const message = "needs at least one of start and end, summary, description, location.description";
  issues.push(refused(value, { key: "errors.required" }, message));
}
