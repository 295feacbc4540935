import { Reply } from "@/server/domain/reply";
import { type EndpointError, withCompatibility } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import { EVENT_BODY } from "@/server/http/read-body";
import { writeErrors } from "@/server/http/routes/event-errors";
import type { Route, RouteResponse } from "@/server/http/routes/route";

const params = { booking_id: "The id that the booking was created with." };
const path = "/v1/bookings/{booking_id}";
const noBooking: RouteResponse = { description: "Your application has no booking with this id." };
const readOnly: RouteResponse = { description: "The calendar is read-only." };
const unreachable: RouteResponse = {
  description:
    "A provider can't be reached (`unreachable`, with the account), Almanac is in maintenance (`maintenance`), or busy (no body). Nothing was written. Retry after `Retry-After` seconds.",
  schema: ["Unreachable", "Maintenance"],
};

const errors: EndpointError[] = [
  { key: "errors.required", field: "calendar_id, event, require_free", when: "missing" },
  {
    key: "errors.too_big",
    field: "require_free",
    when: `more than ${limits.availabilityMembers} accounts; \`calendar_ids\`: more than ${limits.readCalendars}; a buffer over 1,440 minutes; \`hold_seconds\` over ${limits.longestHold}`,
  },
  {
    key: "errors.too_small",
    field: "require_free, buffer, hold_seconds",
    when: `empty; under 0 minutes; under ${limits.shortestHold} seconds`,
  },
  {
    key: "errors.invalid",
    field: "require_free[0].sub",
    when: "not an account of your application or, with an access token, not its own",
  },
  { key: "errors.invalid", field: "require_free[0].calendar_ids[0]", when: "not a calendar of the account" },
  { key: "errors.invalid", field: "hold_seconds", when: "the event already exists: it can be moved, but not held" },
  { key: "errors.invalid_value", field: "if_unreachable", when: "neither `refuse` nor `accept`" },
  ...writeErrors.map((error) =>
    error.field === "any" || error.field === "base" ? error : { ...error, field: `event.${error.field}` },
  ),
];

export const bookEvent: Route = {
  id: "bookEvent",
  method: "post",
  path: "/v1/bookings",
  tag: "Scheduling",
  summary: "Book a time if it is free",
  description: `Writes the event only if everyone in \`require_free\` is free for all of it, so no time is booked twice: bookings that share a calendar are checked one after another, whichever calendar their events are in. The same events take time as in \`POST /v1/availability\`; of a series, the first 50 occurrences are checked. Before it responds, Almanac asks the providers, for up to five seconds.

**Holds.** With \`hold_seconds\`, the time is held, and the event is written once you confirm the booking. Holds take time in availability and for other bookings, but don't show in reads.

**Retries.** The same request returns the same booking, as long as its event is where it was booked. Another request with the same \`event_id\` moves the booking or replaces the hold, and the time it already has counts as free.`,
  credential: "either",
  body: { schema: "BookingRequest", limit: EVENT_BODY },
  responses: {
    201: { description: "The time is booked or held.", schema: ["BookingResponse"], location: true },
    403: readOnly,
    404: { description: "Your application has no calendar with this id." },
    409: {
      description:
        "The time is not free, an account's time is not known, or the calendar was deleted. Nothing was written.",
      schema: ["BookingConflicts"],
    },
    503: unreachable,
  },
  errors: withCompatibility(errors, "both"),
  call: async (api, { body }) => {
    const booking = await api.bookings.book(body);
    return new Reply(booking, { location: `/v1/bookings/${booking.booking_id}` });
  },
};

export const showBooking: Route = {
  id: "showBooking",
  method: "get",
  path,
  tag: "Scheduling",
  summary: "Get a booking",
  description: "Returns a booking and its state.",
  credential: "either",
  params,
  responses: { 200: { description: "The booking.", schema: ["BookingResponse"] }, 404: noBooking },
  call: (api, { params }) => api.bookings.show(params),
};

export const confirmBooking: Route = {
  id: "confirmBooking",
  method: "post",
  path: `${path}/confirm`,
  tag: "Scheduling",
  summary: "Confirm a hold",
  description:
    "Writes the event of a held booking. Its time is checked again, as in `POST /v1/bookings`, and providers are asked again: if something took the time during the hold, the response is 409, and the hold continues until it expires. A booking that is already booked is unchanged.",
  credential: "either",
  params,
  responses: {
    200: { description: "The booking, with its event.", schema: ["BookingResponse"] },
    403: readOnly,
    404: noBooking,
    409: {
      description:
        "The time is no longer free, or an account's time is not known (`conflicts` and `problems`). Or the hold has expired, the event was deleted, or an event with its `event_id` was written after the hold (`error` and `description`). Nothing was written.",
      schema: ["BookingConflicts", "Conflict"],
    },
    503: unreachable,
  },
  call: (api, { params }) => api.bookings.confirm(params),
};

export const cancelBooking: Route = {
  id: "cancelBooking",
  method: "delete",
  path,
  tag: "Scheduling",
  summary: "Cancel a booking",
  description:
    "Frees the time of a booking. If it was booked, its event is deleted and the guests are notified. Afterwards, the booking no longer exists.",
  credential: "either",
  params,
  responses: {
    202: { description: "Accepted. The time is free; the change at the calendar provider follows." },
    403: readOnly,
    404: noBooking,
  },
  call: (api, { params }) => api.bookings.cancel(params),
};
