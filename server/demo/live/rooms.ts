import type { RegisteredApplication } from "@/server/demo/applications";
import { bookings, invited, rooms } from "@/server/demo/cast/diary";
import { type Api, unknownCallerHeaders } from "@/server/demo/live/api";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/server/demo/month/time";
import type { Random } from "@/server/demo/random";

export const ZONE = "Europe/Copenhagen";

/** A room's application calendar. */
export interface Room {
  id: string;
  receiver: string;
  accountId: string;
  token: string;
  calendarId: string;
}

/** Opens the rooms' calendars through the API and books them for this week and the next. */
export async function openRooms(
  api: Api,
  application: RegisteredApplication,
  given: { now: number; random: Random },
): Promise<Room[]> {
  const opened: Room[] = [];
  for (const { id, receiver } of rooms) {
    const { clientId: client_id, clientSecret: client_secret } = application;
    const json = { client_id, client_secret, application_calendar_id: id };
    const { json: account } = await api.call("POST", "/v1/application_calendars", { json });
    const token: string = account.access_token;
    const { json: listed } = await api.call("GET", "/v1/calendars", { token });
    const room = { id, receiver, accountId: account.account_id, token, calendarId: listed.calendars[0].calendar_id };
    await book(api, room, given);
    opened.push(room);
  }
  return opened;
}

const eventsPath = ({ calendarId }: Room) => `/v1/calendars/${calendarId}/events`;

async function book(api: Api, room: Room, { now, random }: { now: number; random: Random }): Promise<void> {
  const { token } = room;
  const monday = Math.floor(now / DAY_MS) * DAY_MS - ((new Date(now).getUTCDay() + 6) % 7) * DAY_MS;
  for (const [place, { summary, minutes }] of bookings.entries()) {
    const start = monday + random.between(0, 8) * DAY_MS + random.between(16, 30) * 30 * MINUTE_MS;
    const json = { event_id: `booking-${place}`, summary, tzid: ZONE, ...spanOf(start, minutes) };
    await api.call("POST", eventsPath(room), { token, json });
  }
  const recurrence = { rules: [{ frequency: "weekly", by_day: [{ day: "monday" }, { day: "wednesday" }] }] };
  const json = {
    event_id: "stand-up",
    summary: "Stand-up",
    tzid: ZONE,
    ...spanOf(monday + 8 * HOUR_MS, 15),
    recurrence,
  };
  await api.call("POST", eventsPath(room), { token, json });
}

function spanOf(start: number, minutes: number) {
  const [from, to] = [start, start + minutes * MINUTE_MS].map((at) => `${new Date(at).toISOString().slice(0, 19)}Z`);
  return { start: from, end: to };
}

/** Opens a room's channel. Returns null when the running service does not allow receivers there. */
export async function openChannel(api: Api, { token }: Room, callback_url: string): Promise<string | null> {
  const { status, json } = await api.call("POST", "/v1/channels", { token, json: { callback_url } });
  return status === 200 ? json.channel.channel_id : null;
}

/** Plays other people: somebody invites guests, who reply, and moves and cancels bookings. Does nothing when the sandbox is off. */
export async function playOthers(api: Api, room: Room, now: number): Promise<void> {
  const { token, calendarId: calendar_id } = room;
  const change = (json: object) => api.call("POST", "/v1/sandbox/changes", { token, json: { calendar_id, ...json } });
  const tomorrow = (hours: number) => spanOf(Math.floor(now / HOUR_MS) * HOUR_MS + DAY_MS + hours * HOUR_MS, 60);
  const organizer = { email: "lena@harbor-rooms.example", display_name: "Lena Brandt" };
  const attendees = { invite: invited.map((email) => ({ email })) };
  const event = { summary: "Board meeting", tzid: ZONE, ...tomorrow(1), attendees };
  await change({ type: "event_created", organizer, event });
  const { json } = await api.call("GET", `/v1/events?tzid=${ZONE}`, { token });
  const event_uid = json.events[0]?.event_uid;
  const [first, second] = invited;
  await change({ type: "guest_replied", event_uid, email: first, status: "accepted" });
  await change({ type: "guest_replied", event_uid, email: second, status: "declined" });
  await change({
    type: "event_changed",
    event_id: "booking-1",
    event: { summary: "Hiring panel", tzid: ZONE, ...tomorrow(3) },
  });
  await change({ type: "event_deleted", event_id: "booking-2" });
}

/**
 * Makes the mistakes of an application in development: requests without a field, with a nonexistent zone, with old
 * tokens, and too many requests.
 */
export async function makeMistakes(api: Api, room: Room): Promise<void> {
  const { token } = room;
  const path = eventsPath(room);
  const event = {
    event_id: "booking-9",
    summary: "Visit",
    tzid: ZONE,
    start: "2026-02-30T09:00:00Z",
    end: "2026-03-01T10:00:00Z",
  };
  await api.call("POST", path, { token, json: { event_id: "booking-9" } });
  await api.call("POST", path, { token, json: event });
  await api.call("POST", path, { token, json: { ...event, tzid: "Europe/Kopenhagen" } });
  await api.call("GET", "/v1/free_busy?tzid=Copenhagen", { token });
  await api.call("POST", "/v1/channels", { token, json: { callback_url: "http://192.168.0.12/hook" } });
  await api.call("POST", "/v1/calendars/cal_000000000000000000000000/events", {
    token,
    json: { ...event, start: event.end },
  });
  for (const old of ["at_expired-yesterday", "at_of-another-environment"])
    await api.call("GET", "/v1/events?tzid=Etc/UTC", { token: old, headers: unknownCallerHeaders() });
  await api.call("GET", "/v1/calendars", { token, headers: { "svc-sandbox-fault": "rate_limited" } });
}
