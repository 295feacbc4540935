import { type EndpointError, withCompatibility } from "@/server/http/openapi/error-keys";
import type { Operation } from "@/server/http/openapi/operations/operation";

const readErrors: EndpointError[] = [
  { key: "errors.required", field: "tzid", when: "missing" },
  { key: "errors.invalid_type", field: "any", when: "given with brackets, or `calendar_ids` without them" },
  { key: "errors.invalid", field: "tzid", when: "not a time zone of the tz database" },
  { key: "errors.invalid", field: "from, to", when: "not a date or a time with an offset; `to` not after `from`" },
  { key: "errors.too_big", field: "calendar_ids", when: "over 100 of them, or one over 600 characters" },
  { key: "errors.too_small", field: "calendar_ids[0]", when: "empty" },
  { key: "errors.invalid_value", field: "include_managed, localized_times …", when: "not true, false, 1 or 0" },
  { key: "errors.invalid", field: "cursor", when: "not issued for this account and endpoint" },
  { key: "errors.too_small", field: "cursor", when: "empty" },
  { key: "errors.too_big", field: "cursor", when: "over 600 characters" },
];

const window =
  "Reads reach from 42 days ago to 201 days from now; asking for more is no mistake. Calendars that the account does not have match nothing. Follow `pages.next_page` as it is: it holds the window and the filters of the first page.";

export const reading: readonly Operation[] = [
  {
    id: "listFreeBusy",
    method: "get",
    path: "/v1/free_busy",
    tag: "Reading",
    summary: "Read free/busy periods",
    description: `One period for each event and each occurrence that overlaps the window, up to 1,000 a page. Declined invitations are never busy and are left out; events that the application wrote are left out without \`include_managed\`. ${window}`,
    credential: "bearer",
    query: ["FreeBusyQuery", "CursorQuery"],
    answers: { 200: { description: "A page of periods, by start.", schema: ["FreeBusyResponse"] } },
    errors: withCompatibility(readErrors, "time_zone"),
  },
  {
    id: "listEvents",
    method: "get",
    path: "/v1/events",
    tag: "Reading",
    summary: "Read events",
    description: `The events that overlap the window, up to 300 a page; a repeating event once for each occurrence. Events that the application wrote are left out without \`include_managed\` or \`only_managed\`. After a \`change\` notification, read with its \`changes_since\` as \`last_modified\`. ${window}`,
    credential: "bearer",
    query: ["EventsQuery", "CursorQuery"],
    answers: { 200: { description: "A page of events, by start.", schema: ["EventsResponse"] } },
    errors: withCompatibility(
      [...readErrors, { key: "errors.invalid", field: "last_modified", when: "not a time with an offset" }],
      "time_zone",
    ),
  },
];
