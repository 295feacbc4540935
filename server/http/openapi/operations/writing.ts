import { withCompatibility } from "@/server/http/openapi/error-keys";
import { deleteErrors, occurrenceErrors, writeErrors } from "@/server/http/openapi/operations/event-errors";
import type { AnswerOf, Operation } from "@/server/http/openapi/operations/operation";

const params = { calendar_id: "A calendar of the account whose `calendar_readonly` is false." };
const path = "/v1/calendars/{calendar_id}/events";

const done: AnswerOf = {
  description: "Done: reads show it from now on. The write to the calendar's provider follows.",
};
const readOnly: AnswerOf = { description: "The calendar is read-only." };
const noCalendar: AnswerOf = { description: "The account has no such calendar." };

export const writing: readonly Operation[] = [
  {
    id: "writeEvent",
    method: "post",
    path,
    tag: "Writing events",
    summary: "Create or replace an event",
    description: `Writes the event that the application calls \`event_id\`: a new one, or in place of what it was. The same body twice leaves one event. Fields that the API does not have are ignored.

**Guests.** The body describes a change: guests after the write are those there were, and \`invite\`, without \`remove\`. Who is in both is removed. Addresses are trimmed and compared in lower case. A write without \`attendees\` keeps the guests, and every write keeps the answers that the calendar holds. The calendar's service sends invitations, updates and cancellations unless \`notify_attendees\` is false.

**Repetition.** \`start\` and \`end\` are the first occurrence, which must fit the rule. A series with times needs a time zone and keeps its local time all year. \`recurrence\` left out keeps the repetition; null ends it. A list of exceptions that is left out stays; exceptions on days that a new rule no longer has are dropped.

**Meeting links.** \`default\` adds the calendar's own link where it has one. The event then reads \`conferencing: { pending: true }\` until the calendar has made the link, usually within seconds. A later write without \`conferencing\` keeps the link, also when the event moves.`,
    credential: "bearer",
    params,
    body: { schema: "EventWrite" },
    answers: { 202: done, 403: readOnly, 404: noCalendar },
    errors: withCompatibility(writeErrors, "both"),
  },
  {
    id: "deleteEvent",
    method: "delete",
    path,
    tag: "Writing events",
    summary: "Delete an event, or skip one of its days",
    description:
      "Deletes the event with all its occurrences, or with `occurrence_date` only that one. Succeeds also when there is no such event, and for a day that is skipped already.",
    credential: "bearer",
    params,
    body: { schema: "EventDelete" },
    answers: { 202: done, 403: readOnly, 404: noCalendar },
    errors: deleteErrors,
  },
  {
    id: "changeOccurrence",
    method: "post",
    path: `${path}/occurrences`,
    tag: "Writing events",
    summary: "Change one occurrence of a repeating event",
    description:
      "Says what one day of a series has of its own, in place of what was said of that day before: a field left out is the series' own again, and a skipped day comes back. At least a new time (`start` and `end`), `summary`, `description` or `location.description` is needed.",
    credential: "bearer",
    params,
    body: { schema: "OccurrenceWrite" },
    answers: {
      202: done,
      403: readOnly,
      404: { description: "The account has no such calendar, or the application has written no such event to it." },
    },
    errors: withCompatibility(occurrenceErrors, "both"),
  },
];
