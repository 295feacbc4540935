import { booleanOf } from "@/server/domain/query-boolean";
import { withCompatibility } from "@/server/http/error-keys";
import { EVENT_BODY } from "@/server/http/read-body";
import { deleteErrors, occurrenceErrors, writeErrors } from "@/server/http/routes/event-errors";
import type { Route, RouteInput, RouteResponse } from "@/server/http/routes/route";

const params = { calendar_id: "The id of a calendar whose `calendar_readonly` is `false`." };
const path = "/v1/calendars/{calendar_id}/events";

const done: RouteResponse = {
  description: "Accepted. Reads show the change immediately; the write to the calendar provider follows.",
};
const readOnly: RouteResponse = { description: "The calendar is read-only." };
const noCalendar: RouteResponse = { description: "The account has no calendar with this id." };

export const writeEvent: Route = {
  id: "writeEvent",
  method: "post",
  path,
  tag: "Writing events",
  summary: "Create or replace an event",
  description: `Creates the event with your \`event_id\`, or replaces it if it exists. Sending the same body twice leaves one event. Unknown fields are ignored. In optional fields \`null\` counts as omitted, except in \`attendees\`, where it is an error, and in \`recurrence\`.

**Texts.** If you omit \`description\`, \`location\` or \`url\`, it is removed if your last write had set it, and stays if someone else filled it in. An empty text removes it in any case.

**Guests.** \`attendees\` describes a change: \`invite\` adds guests, \`remove\` removes them, and everyone else stays. A guest listed in both is removed. Addresses are trimmed and compared in lowercase; international domains are stored in ASCII (\`xn--mller-kva.example\`). If you omit \`attendees\`, the guests stay unchanged. Replies are always kept. The calendar provider sends invitations, updates and cancellations unless \`notify_attendees\` is \`false\`.

**Recurrence.** \`start\` and \`end\` are the first occurrence, which must match the rule. A series with times needs a time zone and keeps its local time across daylight saving changes. If you omit \`recurrence\`, it stays unchanged; \`null\` stops the repetition. If you omit a list of exceptions, it stays too; exceptions on days that a new rule no longer includes are dropped.

**Meeting links.** \`default\` adds the calendar's own link if it has one. The event then shows \`conferencing: { pending: true }\` until the calendar has created the link, usually within seconds. A later write without \`conferencing\` keeps the link, even if the event moves.

**Lost updates.** A write is stored over whatever the user has made of the event since you read it. To be told instead, change the event by its uid with \`If-Match\`: \`PATCH /v1/events/{event_uid}\`.`,
  credential: "bearer",
  params,
  body: { schema: "EventWrite", limit: EVENT_BODY },
  responses: { 202: done, 403: readOnly, 404: noCalendar },
  errors: withCompatibility(writeErrors, "both"),
  call: (api, { params, body }) => api.events.write({ body, ...params }),
};

/** Reads from the query what a DELETE says in its body, which some clients and proxies drop. */
function deletedByQuery(query: RouteInput["query"]): Record<string, unknown> | null {
  const { event_id, occurrence_date, notify_attendees: notify } = query;
  if (event_id === undefined) return null;
  return { event_id, occurrence_date, notify_attendees: booleanOf(notify) ?? notify };
}

export const deleteEvent: Route = {
  id: "deleteEvent",
  method: "delete",
  path,
  tag: "Writing events",
  summary: "Delete an event or occurrence",
  description:
    "Deletes the event with all its occurrences or, with `occurrence_date`, only that occurrence. Succeeds even if the event doesn't exist or the day is already skipped. If your client or a proxy drops the body of a DELETE, send the same fields in the query string: they are read if there is no body.",
  credential: "bearer",
  params,
  body: { schema: "EventDelete", limit: EVENT_BODY, fromQuery: deletedByQuery },
  responses: { 202: done, 403: readOnly, 404: noCalendar },
  errors: deleteErrors,
  call: (api, { params, body }) => api.events.remove({ body, ...params }),
};

export const changeOccurrence: Route = {
  id: "changeOccurrence",
  method: "post",
  path: `${path}/occurrences`,
  tag: "Writing events",
  summary: "Change one occurrence",
  description:
    "Changes one occurrence of a recurring event and replaces any earlier change of that day: fields you omit return to the series' values, and a skipped day comes back. Send at least one of a new time (`start` and `end`), `summary`, `description` and `location.description`.",
  credential: "bearer",
  params,
  body: { schema: "OccurrenceWrite", limit: EVENT_BODY },
  responses: {
    202: done,
    403: readOnly,
    404: {
      description:
        "The account has no calendar with this id, or your application has created no event with this id in it.",
    },
  },
  errors: withCompatibility(occurrenceErrors, "both"),
  call: (api, { params, body }) => api.events.changeOccurrence({ body, ...params }),
};
