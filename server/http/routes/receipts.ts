import { MAX_WRITES_CURSOR } from "@/server/domain/text-limits";
import type { EndpointError } from "@/server/http/error-keys";
import { count, limits } from "@/server/http/limits";
import { calendarQueryErrors } from "@/server/http/routes/query-errors";
import type { Route } from "@/server/http/routes/route";

const listErrors: EndpointError[] = [
  { key: "errors.invalid_value", field: "state", when: "not `pending`, `sent` or `refused`" },
  ...calendarQueryErrors,
  { key: "errors.invalid", field: "cursor", when: "not issued for this route" },
  { key: "errors.too_small", field: "cursor", when: "empty" },
  { key: "errors.too_big", field: "cursor", when: `over ${count(MAX_WRITES_CURSOR)} characters` },
];

export const showReceipt: Route = {
  id: "showReceipt",
  method: "get",
  path: "/v1/calendars/{calendar_id}/events/{event_id}/receipt",
  tag: "Writing events",
  summary: "Get a receipt",
  description:
    "Returns the outcome of your last write of the event: whether it has reached the calendar provider. A deletion has a receipt too. Writes to an application calendar are `sent` immediately.",
  credential: "bearer",
  params: { calendar_id: "The id of the calendar.", event_id: "Your application's id of the event." },
  responses: {
    200: { description: "The receipt.", schema: ["Receipt"] },
    404: {
      description:
        "The account has no calendar with this id, or your application has written no event with this id to it.",
    },
  },
  call: (api, { params }) => api.events.receipt(params as { calendar_id: string; event_id: string }),
};

export const listWrites: Route = {
  id: "listWrites",
  method: "get",
  path: "/v1/writes",
  tag: "Writing events",
  summary: "List receipts",
  description: `Returns the receipt of each event your application wrote, up to ${limits.writesPage} per page: of every event that exists, and of deleted ones whose deletion is pending or was refused. Ordered by calendar and \`event_id\`, so that no event is listed twice or skipped while its state changes. Unknown calendar ids match nothing. Request \`pages.next_page\` unchanged.`,
  credential: "bearer",
  query: ["WritesQuery"],
  responses: { 200: { description: "A page of receipts.", schema: ["WritesResponse"] } },
  errors: listErrors,
  call: (api, { query }) => api.writes(query),
};
