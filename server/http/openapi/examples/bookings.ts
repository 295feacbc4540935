import { type Example, known } from "@/server/http/openapi/examples/example";
import { stableId } from "@/server/http/openapi/examples/stable";

const ada = { sub: known.accountId };
const room = { sub: known.calendarAccountId };
const booked = { booking_id: known.bookingId };
const held = { booking_id: stableId("bkg", 1) };
const expired = { booking_id: known.expiredBookingId };
const unknown = { booking_id: stableId("bkg", 99) };

const interview = {
  event_id: "interview-17",
  summary: "Interview",
  start: "2025-06-05T07:00:00Z",
  end: "2025-06-05T08:00:00Z",
};

/** Booking time and giving it free again, so that reads show nothing of it. */
export const bookingExamples: readonly Example[] = [
  {
    operation: "bookEvent",
    name: "two_people",
    summary: "An hour for two people, even if a provider can't be reached",
    as: "application",
    body: {
      calendar_id: known.calendarId,
      event: interview,
      require_free: [ada, room],
      if_unreachable: "accept",
    },
    status: 201,
  },
  {
    operation: "bookEvent",
    name: "held",
    summary: "Hold a time for five minutes, with 15 minutes free before it",
    as: "application",
    body: {
      calendar_id: known.calendarId,
      event: { ...interview, event_id: "interview-18", start: "2025-06-05T09:00:00Z", end: "2025-06-05T10:00:00Z" },
      require_free: [{ ...room, calendar_ids: [known.calendarId] }],
      buffer: { before: { minutes: 15 } },
      hold_seconds: 300,
    },
    status: 201,
  },
  {
    operation: "bookEvent",
    name: "own",
    summary: "Hold a time of one account, with its access token",
    body: {
      calendar_id: known.calendarId,
      event: { ...interview, event_id: "interview-19", start: "2025-06-06T09:00:00Z", end: "2025-06-06T10:00:00Z" },
      require_free: [room],
      hold_seconds: 60,
    },
    status: 201,
  },
  {
    operation: "bookEvent",
    name: "taken",
    summary: "A time that is already booked",
    as: "application",
    body: {
      calendar_id: known.calendarId,
      event: { ...interview, event_id: "interview-20", start: "2025-06-05T07:30:00Z", end: "2025-06-05T08:30:00Z" },
      require_free: [room],
    },
    status: 409,
  },
  {
    operation: "bookEvent",
    name: "unreachable",
    summary: "A provider that can't be reached",
    as: "application",
    body: {
      calendar_id: known.calendarId,
      event: { ...interview, event_id: "interview-21", start: "2025-06-05T11:00:00Z", end: "2025-06-05T12:00:00Z" },
      require_free: [ada, room],
    },
    status: 503,
  },
  {
    operation: "bookEvent",
    name: "mistakes",
    isMistake: true,
    summary: "All errors of a body at once, including those of the event",
    as: "application",
    body: {
      calendar_id: known.calendarId,
      event: { ...interview, end: "2025-06-05T06:00:00Z" },
      require_free: [room, {}],
      hold_seconds: 10,
      if_unreachable: "maybe",
    },
    status: 422,
  },
  { operation: "showBooking", name: "held", summary: "A hold", as: "application", path: held, status: 200 },
  { operation: "showBooking", name: "unknown", summary: "An unknown booking", path: unknown, status: 404 },
  {
    operation: "confirmBooking",
    name: "confirm",
    summary: "Confirm a hold",
    as: "application",
    path: held,
    status: 200,
  },
  {
    operation: "confirmBooking",
    name: "confirm_unreachable",
    summary: "A provider that can't be reached",
    as: "application",
    path: expired,
    status: 503,
  },
  {
    operation: "confirmBooking",
    name: "expired",
    summary: "A hold that has expired",
    as: "application",
    path: expired,
    status: 409,
  },
  { operation: "confirmBooking", name: "unknown", summary: "An unknown booking", path: unknown, status: 404 },
  {
    operation: "cancelBooking",
    name: "cancel",
    summary: "Cancel a booking",
    as: "application",
    path: booked,
    status: 202,
  },
  {
    operation: "cancelBooking",
    name: "confirmed",
    summary: "Cancel a booking that was held",
    as: "application",
    path: held,
    status: 202,
  },
  { operation: "cancelBooking", name: "unknown", summary: "An unknown booking", path: unknown, status: 404 },
];
