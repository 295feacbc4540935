import { type EndpointError, withCompatibility } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import { calendarQueryErrors } from "@/server/http/routes/query-errors";
import type { Route } from "@/server/http/routes/route";

const readErrors: EndpointError[] = [
  { key: "errors.required", field: "tzid", when: "missing" },
  ...calendarQueryErrors,
  { key: "errors.invalid", field: "tzid", when: "not a time zone" },
  { key: "errors.invalid", field: "from, to", when: "not a date or a time with an offset; `to` not after `from`" },
  { key: "errors.invalid_value", field: "include_managed, localized_times …", when: "not true, false, 1 or 0" },
  { key: "errors.invalid", field: "cursor", when: "not issued for this account and route" },
  { key: "errors.too_small", field: "cursor", when: "empty" },
  { key: "errors.too_big", field: "cursor", when: `over ${limits.id} characters` },
];

const window = `The window reaches from ${limits.daysBack} ago to ${limits.daysAhead} ahead; a wider range is truncated, not rejected. Unknown calendar ids match nothing. Request \`pages.next_page\` unchanged: it contains the window and filters of the first page.`;

export const listFreeBusy: Route = {
  id: "listFreeBusy",
  method: "get",
  path: "/v1/free_busy",
  tag: "Reading",
  summary: "List free/busy periods",
  description: `Returns one period for each event and each occurrence that overlaps the window, up to ${limits.freeBusyPage} per page. Declined invitations are omitted. By default, events your application created are omitted too; pass \`include_managed=true\` to include them. ${window}`,
  credential: "bearer",
  readsOccurrences: true,
  query: ["FreeBusyQuery", "CursorQuery"],
  responses: { 200: { description: "A page of periods, ordered by start.", schema: ["FreeBusyResponse"] } },
  errors: withCompatibility(readErrors, "time_zone"),
  call: (api, { query }) => api.freeBusy(query),
};

export const listEvents: Route = {
  id: "listEvents",
  method: "get",
  path: "/v1/events",
  tag: "Reading",
  summary: "List events",
  description: `Returns the events that overlap the window, up to ${limits.eventsPage} per page. A recurring event is returned once per occurrence. By default, events your application created are omitted; pass \`include_managed=true\` or \`only_managed=true\` to include them. After a \`change\` notification, pass its \`changes_since\` as \`last_modified\`. ${window}`,
  credential: "bearer",
  readsOccurrences: true,
  query: ["EventsQuery", "CursorQuery"],
  responses: { 200: { description: "A page of events, ordered by start.", schema: ["EventsResponse"] } },
  errors: withCompatibility(
    [...readErrors, { key: "errors.invalid", field: "last_modified", when: "not a time with an offset" }],
    "time_zone",
  ),
  call: (api, { query }) => api.events.list(query),
};

const changeErrors: EndpointError[] = [
  ...calendarQueryErrors,
  { key: "errors.too_small", field: "cursor", when: "empty" },
  { key: "errors.too_big", field: "cursor", when: `over ${limits.feedCursor} characters` },
  { key: "errors.invalid", field: "cursor", when: "not issued for this account and route" },
  { key: "errors.invalid", field: "limit", when: `not a whole number from 1 to ${limits.changes}` },
  { key: "errors.invalid_value", field: "from", when: "not `beginning`" },
];

export const listChanges: Route = {
  id: "listChanges",
  method: "get",
  path: "/v1/changes",
  tag: "Reading",
  summary: "List what changed",
  description: `Returns what changed since the last call, in the order of each calendar: events that your application wrote, and those that others did. Request it again with \`cursor\` after a \`change\` notification, and periodically; while \`has_more\` is true, more changes are waiting. Without a cursor, the feed starts now; with \`from=beginning\` it starts with every event that exists. A change of a series is one change. A cursor is valid for ${limits.feedMemory}; with an older one the response has \`reset: true\` and the feed starts over with what exists. The feed names events and fields, never their text.`,
  credential: "bearer",
  query: ["ChangesQuery"],
  responses: { 200: { description: "Changes, oldest first.", schema: ["ChangesResponse"] } },
  errors: changeErrors,
  call: (api, { query }) => api.changes(query),
};
