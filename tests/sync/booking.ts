import { basic } from "../api/availability";
import { type ApiResponse, type Application, call } from "../api/service";
import { day, ours } from "./world";

interface Booked {
  application: Application;
  accountId: string;
}

/** What of a booking is otherwise than `bookingIn` has it. */
export interface BookingFields {
  event?: object;
  [field: string]: unknown;
}

/** The body of a booking of an hour in a person's calendar, two days from now at 14:00 UTC, for which they have to be free. */
export function bookingIn(person: Booked, calendarId: string, { event = {}, ...more }: BookingFields = {}) {
  return {
    calendar_id: calendarId,
    event: ours(crypto.randomUUID(), { summary: "Booked", ...event }),
    require_free: [{ sub: person.accountId, calendar_ids: [calendarId] }],
    ...more,
  };
}

export function book({ application }: Pick<Booked, "application">, body: object): Promise<ApiResponse> {
  return call("POST", "/v1/bookings", { json: body, headers: basic(application) });
}

/** A request about one booking. */
export function ofBooking(
  { application }: Pick<Booked, "application">,
  { json }: ApiResponse,
  method: "GET" | "POST" | "DELETE",
  more = "",
): Promise<ApiResponse> {
  return call(method, `/v1/bookings/${json.booking_id}${more}`, { headers: basic(application) });
}

/** The same event at another time, two days from now. */
export function moved<Body extends { event: object }>(body: Body, from: string, to: string): Body {
  return { ...body, event: { ...body.event, start: `${day(2)}T${from}:00Z`, end: `${day(2)}T${to}:00Z` } };
}
