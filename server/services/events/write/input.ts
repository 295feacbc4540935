import { z } from "zod";
import { linkSchemes } from "@/server/domain/events/link";
import { fieldName, type Issue } from "@/server/domain/issues";
import { checkSeries } from "@/server/domain/recurrence/check-series";
import { type Recurrence, readRecurrence } from "@/server/domain/recurrence/read-recurrence";
import { MAX_DESCRIPTION, MAX_EVENT_ID, MAX_LOCATION, MAX_SUMMARY, MAX_URL } from "@/server/domain/text-limits";
import { span } from "@/server/domain/time/moment";
import type { NamedZone } from "@/server/domain/time/named-zone";
import { zone } from "@/server/domain/time/zone";
import { docsAs } from "@/server/services/docs-as";
import { moment, type SentMoment, spanOf } from "@/server/services/events/moment";
import { guestChange } from "@/server/services/events/write/guests-field";
import { always, link, refused, sparse, text, timeZone } from "@/server/services/fields";

export const eventId = text({ min: 1, max: MAX_EVENT_ID }).describe(
  "Your id for the event, unique within the calendar.",
);

export const notifyAttendees = z
  .boolean()
  .default(true)
  .describe("If `false`, no invitations are sent. Calendars that always notify guests reject `false`.");

/** `recurrence`, which reads its own keys and paths; what depends on start and zone is checked with the whole body. */
const recurrence = z
  .unknown()
  .transform((value, { issues }): Recurrence => {
    const read = readRecurrence(value);
    for (const issue of read.issues) issues.push(rawIssue(value, issue, 1));
    return read.recurrence;
  })
  .register(docsAs, { as: "Recurrence" });

export const eventLocation = sparse({ description: text({ max: MAX_LOCATION }).optional() });

/** Null is a value of its own in these: it stops a repetition, and is no change of guests. */
const meaningful = ["attendees", "recurrence"] as const;

/** What a write says of an event, whoever makes it. */
const content = {
  summary: text({ max: MAX_SUMMARY }),
  description: text({ max: MAX_DESCRIPTION }).optional(),
  start: moment.describe("When the event starts. For a recurring event, when the first occurrence starts."),
  end: moment.describe("When the event ends: a date if `start` is a date, otherwise a time. Dates are exclusive."),
  tzid: timeZone
    .describe("The event's IANA time zone. Required for a recurring event with times, unless `start` has a `tzid`.")
    .optional(),
  location: eventLocation.optional(),
  url: link({ max: MAX_URL })
    .describe(
      `A link, returned in reads. Its scheme must be one that calendars use: ${linkSchemes.map((scheme) => `\`${scheme}\``).join(", ")}. Text without a scheme is accepted too.`,
    )
    .optional(),
  transparency: z.enum(["opaque", "transparent"]).default("opaque").describe("`transparent` shows the event as free."),
  attendees: guestChange.describe("Guests to add and remove. If omitted, the guests stay unchanged.").optional(),
  recurrence: recurrence.optional(),
  conferencing: z
    .object({
      profile_id: z
        .enum(["default", "integrated", "none"])
        .describe(
          "`default` adds the calendar's own meeting link if it has one. `integrated` does the same but fails if it has none. `none` removes the link.",
        ),
    })
    .optional(),
};

/** The body of POST /v1/calendars/{id}/events. Fields that it does not name are ignored. */
export const eventBody = sparse({ event_id: eventId, ...content, notify_attendees: notifyAttendees }, meaningful)
  .superRefine(spanOf, always)
  .superRefine(seriesOfBody, always);

/** An event as somebody else writes it: without what only the application has, and private if they like. */
export const eventContent = sparse(
  {
    ...content,
    event_private: z
      .boolean()
      .describe("Whether the event is marked as private. If omitted, that stays unchanged.")
      .optional(),
  },
  meaningful,
)
  .superRefine(spanOf, always)
  .superRefine(seriesOfBody, always);

export type EventBody = z.output<typeof eventBody>;

/** Returns the time zone that a body names: `tzid`, else the one inside `start` (ADR 90). */
export function bodyTzid({ tzid, start }: { tzid?: NamedZone; start: SentMoment }): string | null {
  return tzid?.tzid ?? start.tzid ?? null;
}

/** Runs even if other fields are invalid, and ignores what could not be read. */
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

/** Converts an issue of the domain to one of zod's. `depth` is how far down the schema stands that reports it. */
function rawIssue(input: unknown, { path, key, reason, description }: Issue, depth: number): z.core.$ZodRawIssue {
  const message = description.slice(fieldName(path).length + 1);
  return { ...refused(input, { key, reason }, message), path: path.slice(depth) };
}
