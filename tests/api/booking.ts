import { at, basic } from "./availability";
import { type ApiResponse, type Application, call, newApplication, type Opened, openCalendar } from "./service";

/** Application calendars of one application. */
export async function team(count: number): Promise<{ application: Application; members: Opened[] }> {
  const application = await newApplication();
  const members: Opened[] = [];
  for (let i = 0; i < count; i++) members.push(await openCalendar(application));
  return { application, members };
}

interface Wanted {
  start?: string;
  end?: string;
  free?: readonly Opened[];
  event?: object;
  [field: string]: unknown;
}

/** The body of a booking of an hour in a calendar, three days from now at 09:00 UTC, for which its owner has to be free. */
export function booking(
  calendar: Opened,
  { start = at(3, "09:00"), end = at(3, "10:00"), free, event, ...more }: Wanted = {},
) {
  return {
    calendar_id: calendar.calendarId,
    event: { event_id: crypto.randomUUID(), summary: "Review", start, end, ...event },
    require_free: (free ?? [calendar]).map(({ accountId }) => ({ sub: accountId })),
    ...more,
  };
}

/** The same booking at another hour of the same day. */
export function movedTo<Body extends { event: object }>(body: Body, from: string, to: string): Body {
  return { ...body, event: { ...body.event, start: at(3, from), end: at(3, to) } };
}

export function book(application: Application, body: object): Promise<ApiResponse> {
  return call("POST", "/v1/bookings", { json: body, headers: basic(application) });
}

/** A request about one booking. */
export const one = (application: Application, id: string, method = "GET", more = "") =>
  call(method, `/v1/bookings/${id}${more}`, { headers: basic(application) });

export const confirm = (application: Application, { json }: ApiResponse) =>
  one(application, json.booking_id, "POST", "/confirm");

/** What a calendar's own application sees in it, with the time of day. */
export async function summaries(calendar: Opened): Promise<string[]> {
  const { json } = await calendar.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
  return json.events.map(
    ({ summary, start }: { summary: string; start: string }) => `${summary} ${start.slice(11, 16)}`,
  );
}
