import { z } from "zod";
import { span } from "@/server/domain/events/moment";
import { MAX_DESCRIPTION, MAX_LOCATION, MAX_SUMMARY, MAX_URL } from "@/server/domain/events/text-limits";
import { fieldName, type Issue } from "@/server/domain/issues";
import { checkSeries } from "@/server/domain/recurrence/check-series";
import { type Recurrence, readRecurrence } from "@/server/domain/recurrence/read-recurrence";
import { zone } from "@/server/domain/time/zone";
import { described } from "@/server/services/described";
import { moment, type SentMoment, spanOf } from "@/server/services/events/moment";
import { guestChange } from "@/server/services/events/write/guests-field";
import { always, type NamedZone, refused, text, timeZone } from "@/server/services/fields";

export const MAX_EVENT_ID = 512;

export const eventId = text({ min: 1, max: MAX_EVENT_ID }).describe(
  "The application's own name of the event, unique in its calendar.",
);

export const notifyAttendees = z
  .boolean()
  .default(true)
  .describe("false: nobody is told. Calendars that always tell their guests refuse it.");

/** `recurrence`, which reads its own keys and paths; what depends on start and zone is checked with the whole body. */
const recurrence = z
  .unknown()
  .transform((value, { issues }): Recurrence => {
    const read = readRecurrence(value);
    for (const issue of read.issues) issues.push(rawIssue(value, issue, 1));
    return read.recurrence;
  })
  .register(described, { as: "Recurrence" });

/** The body of POST /v1/calendars/{id}/events. Fields that it does not name are ignored. */
export const eventBody = z
  .object({
    event_id: eventId,
    summary: text({ max: MAX_SUMMARY }),
    description: text({ max: MAX_DESCRIPTION }).optional(),
    start: moment.describe("Of the first occurrence, when the event repeats."),
    end: moment.describe("Of the same kind as `start`, and not before it. A date is exclusive."),
    tzid: timeZone.describe("The event's time zone. A repeating event with times needs one.").optional(),
    location: z.object({ description: text({ max: MAX_LOCATION }).optional() }).optional(),
    url: text({ max: MAX_URL }).describe("Comes back in reads.").optional(),
    transparency: z.enum(["opaque", "transparent"]).default("opaque").describe("`transparent`: shown as free."),
    notify_attendees: notifyAttendees,
    attendees: guestChange.describe("Who is invited, and who no longer. Left out keeps the guests.").optional(),
    recurrence: recurrence.optional(),
    conferencing: z
      .object({
        profile_id: z
          .enum(["default", "integrated", "none"])
          .describe(
            "`default`: the calendar's own meeting link where it has one. `integrated`: the same, refused where it has none. `none`: takes the link off.",
          ),
      })
      .optional(),
  })
  .superRefine(spanOf, always)
  .superRefine(seriesOfBody, always);

export type EventBody = z.output<typeof eventBody>;

/** The time zone that a body names: `tzid`, else the one inside `start` (decisions.md, "Events"). */
export function bodyTzid({ tzid, start }: { tzid?: NamedZone; start: SentMoment }): string | null {
  return tzid?.tzid ?? start.tzid ?? null;
}

/** Runs also when other fields are at fault; what could not be read is passed over. */
function seriesOfBody(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const { start, end, tzid, recurrence: sent } = (value ?? {}) as Partial<EventBody>;
  if (sent?.kind !== "series" && sent?.kind !== "faulty") return;
  const first = start?.kind && end?.kind ? span(start, end) : null;
  const named = start?.kind ? bodyTzid({ tzid: tzid?.zone && tzid, start }) : null;
  const found = checkSeries({
    rule: sent.kind === "series" ? sent.rule : null,
    first: typeof first === "string" ? null : first,
    zone: named === null ? null : zone(named),
    exceptions: sent.exceptions,
  });
  for (const issue of found) issues.push(rawIssue(value, issue, 0));
}

/** An issue of the domain as one of zod's, `depth` being how far down the schema stands that reports it. */
function rawIssue(input: unknown, { path, key, reason, description }: Issue, depth: number): z.core.$ZodRawIssue {
  const message = description.slice(fieldName(path).length + 1);
  return { ...refused(input, { key, reason }, message), path: path.slice(depth) };
}
