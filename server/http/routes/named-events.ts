import { type EndpointError, withCompatibility } from "@/server/http/error-keys";
import { EVENT_BODY, SMALL_BODY } from "@/server/http/read-body";
import { patchErrors, replyErrors } from "@/server/http/routes/event-errors";
import type { Route, RouteResponse } from "@/server/http/routes/route";

const path = "/v1/events/{event_uid}";
const params = {
  event_uid:
    "The `event_uid` of an event, as reads return it. The uid of an occurrence names that occurrence. The `series_identifier` of a recurring event names the series.",
};

const shown: RouteResponse = { description: "The event.", schema: ["NamedEvent"], etag: true };
const unknown: RouteResponse = { description: "The account has no event with this uid." };
const refused: RouteResponse = {
  description:
    "Your application may not change the event, as its `rights` say: the calendar is read-only, or others created the event.",
  schema: ["Forbidden"],
};
const changed: RouteResponse = {
  description: "The event has changed since you read it. Nothing was written. The body is the current event.",
  schema: ["NamedEvent"],
  etag: true,
};

const day: EndpointError[] = [
  { key: "errors.invalid", field: "occurrence_date", when: "not a date" },
  { key: "errors.not_recurring", field: "occurrence_date", when: "the event is not recurring" },
  { key: "errors.not_an_occurrence", field: "occurrence_date", when: "the series has no occurrence on that day" },
];
const query: EndpointError[] = [
  ...day,
  { key: "errors.invalid_type", field: "occurrence_date, scope", when: "sent with brackets" },
  { key: "errors.invalid_value", field: "scope", when: "not `this` or `all`" },
];
const changeQuery: EndpointError[] = [
  ...query,
  {
    key: "errors.required",
    field: "occurrence_date",
    when: "missing with a `series_identifier`, without `scope=all`",
  },
  { key: "errors.too_big", field: "occurrence_date", when: "more exceptions than a series can have" },
  { key: "errors.invalid_value", field: "notify_attendees", when: "not true, false, 1 or 0" },
  {
    key: "errors.notify_attendees_unsupported",
    field: "notify_attendees",
    when: "`false`, but this calendar always notifies guests",
  },
];

const series =
  "Of a recurring event, `event_uid` or `occurrence_date` names one occurrence, which is what is {verb} unless you send `scope=all`.";

export const getEvent: Route = {
  id: "getEvent",
  method: "get",
  path,
  tag: "Writing events",
  summary: "Get an event",
  description: `Returns one event as \`GET /v1/events\` returns it, whoever created it, with \`rights\`: what your application may do with it. Times are UTC. The \`ETag\` changes whenever the event does; send it as \`If-Match\` with a change, so that you never overwrite what you haven't read.

**Recurring events.** The uid of an occurrence names that occurrence, and \`occurrence_date\` names another one of the same series, even outside of the window that \`GET /v1/events\` returns. The \`series_identifier\` alone names the series, shown by its earliest occurrence.`,
  credential: "bearer",
  params,
  query: ["NamedEventQuery"],
  isConditional: true,
  responses: {
    200: shown,
    304: { description: "You have the event already: `If-None-Match` names its `ETag`.", etag: true },
    404: unknown,
  },
  errors: query,
  call: (api, { params, query }) => api.events.get({ ...params, query }),
};

export const patchEvent: Route = {
  id: "patchEvent",
  method: "patch",
  path,
  tag: "Writing events",
  summary: "Change an event",
  description: `Changes only the fields you send, and returns the event with its new \`ETag\`. The body is a JSON merge patch (RFC 7396) of \`summary\`, \`description\`, \`start\` together with \`end\`, \`location\`, \`transparency\` and \`url\`. Other fields are ignored, so you can send back what you read.

**Lost updates.** Send the \`ETag\` you read as \`If-Match\`: if someone has changed the event since, the response is 412 with the current event, and their change stays. Without \`If-Match\`, your change is written over theirs. \`If-Match: *\` only requires that the event exists.

**Recurring events.** ${series.replace("{verb}", "changed")} A value that equals the series' own follows the series again. With \`scope=all\`, \`start\` and \`end\` are those of the named occurrence, and the series moves by as much.`,
  credential: "bearer",
  params,
  query: ["ChangedEventQuery"],
  isConditional: true,
  body: { schema: "EventPatch", limit: EVENT_BODY },
  responses: { 200: shown, 403: refused, 404: unknown, 412: changed },
  errors: withCompatibility([...patchErrors, ...changeQuery], "both"),
  call: (api, { params, query, body, ifMatch }) => api.events.patch({ ...params, query, body, ifMatch }),
};

export const deleteEventByUid: Route = {
  id: "deleteEventByUid",
  method: "delete",
  path,
  tag: "Writing events",
  summary: "Delete an event by its uid",
  description: `Deletes the event. Send the \`ETag\` you read as \`If-Match\`: if someone has changed the event since, the response is 412 with the current event, and it stays. ${series.replace("{verb}", "deleted")}`,
  credential: "bearer",
  params,
  query: ["ChangedEventQuery"],
  isConditional: true,
  responses: {
    202: { description: "Accepted. Reads omit the event immediately; the write to the calendar provider follows." },
    403: refused,
    404: unknown,
    412: changed,
  },
  errors: changeQuery,
  call: (api, { params, query, ifMatch }) => api.events.removeByUid({ ...params, query, ifMatch }),
};

export const replyToEvent: Route = {
  id: "replyToEvent",
  method: "post",
  path: "/v1/calendars/{calendar_id}/events/{event_uid}/participation_status",
  tag: "Writing events",
  summary: "Reply to an invitation",
  description: `Replies for the user to an event that someone else organizes. The calendar provider notifies the organizer, and \`comment\` goes with the reply. A declined event leaves free/busy immediately. Your application may reply if \`rights.reply\` of \`GET /v1/events/{event_uid}\` is \`true\`.

**Recurring events.** The uid of an occurrence, or \`occurrence_date\`, replies to that occurrence. \`scope=all\`, or the \`series_identifier\` alone, replies to the whole series; replies to single occurrences stay.`,
  credential: "bearer",
  params: { calendar_id: "The id of the event's calendar.", ...params },
  query: ["NamedEventQuery"],
  body: { schema: "ParticipationStatus", limit: SMALL_BODY },
  responses: {
    202: { description: "Accepted. Reads show the reply immediately; the calendar provider gets it after that." },
    403: refused,
    404: { description: "The account has no calendar with this id, or the calendar has no event with this uid." },
  },
  errors: [...replyErrors, ...query],
  // Next has one name for the segment, whatever route it is of.
  call: (api, { params: { event_id, ...params }, query, body }) =>
    api.events.reply({ ...(event_id !== undefined && { event_uid: event_id }), ...params, query, body }),
};
