import { expect } from "vitest";
import { db } from "@/server/db/client";
import type { WritableCalendar } from "./provider-calendar";
import type { ApiResponse } from "./service";

/** What the tests look at of an event, as GET /v1/events returns it. */
export interface ReadEvent {
  event_uid: string;
  event_id?: string;
  summary: string;
  description: string;
  start: string;
  end: string;
  deleted: boolean;
  updated: string;
  location?: { description: string };
  recurring: boolean;
  recurrence?: { rules: object[] };
  series_identifier?: string;
  series_master?: { event_id: string; event_uid: string };
  occurrence_date?: string;
  attendees: { email: string; display_name: string | null; status: string }[];
  conferencing?: object;
}

export type Calendar = Omit<WritableCalendar, "application">;

/** Monday, 09:00 to 09:30 in Berlin, where it is UTC+1 until 29 March 2026. */
export const daily = {
  event_id: "series",
  summary: "Stand-up",
  start: "2025-12-01T09:00:00+01:00",
  end: "2025-12-01T09:30:00+01:00",
  tzid: "Europe/Berlin",
};

/** `recurrence` with one rule: every day five times, unless `rule` says otherwise. */
export function repeating(rule: object = { frequency: "daily", count: 5 }, exceptions?: object) {
  return { recurrence: { rules: [rule], ...(exceptions && { exceptions }) } };
}

export const eventsPath = (calendarId: string) => `/v1/calendars/${calendarId}/events`;

export async function write(calendar: Calendar, event: object): Promise<void> {
  expectWritten(await calendar.post(eventsPath(calendar.calendarId), event));
}

/** POST …/events/occurrences of the event "series". */
export async function change(calendar: Calendar, occurrence_date: string, fields: object): Promise<void> {
  expectWritten(await sendChange(calendar, { occurrence_date, ...fields }));
}

export function sendChange(calendar: Calendar, fields: object): Promise<ApiResponse> {
  return calendar.post(`${eventsPath(calendar.calendarId)}/occurrences`, { event_id: "series", ...fields });
}

/** DELETE …/events with occurrence_date of the event "series". */
export async function skip(calendar: Calendar, occurrence_date: string): Promise<void> {
  expectWritten(await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series", occurrence_date }));
}

function expectWritten({ status, text }: ApiResponse): void {
  expect({ status, text }).toEqual({ status: 202, text: "" });
}

/** All events of all pages of the read window, unless `query` says otherwise. */
export async function eventsOf({ get }: Calendar, query: Record<string, string> = {}): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  let answer = await get("/v1/events", { tzid: "Etc/UTC", include_managed: "true", ...query });
  for (;;) {
    expect(answer).toMatchObject({ status: 200 });
    events.push(...answer.json.events);
    const next: string | undefined = answer.json.pages.next_page;
    if (!next) return events;
    answer = await get("/v1/events", { cursor: new URL(next).searchParams.get("cursor") ?? "" });
  }
}

/** occurrence_date, start and end of each event. */
export async function timesOf(calendar: Calendar, query?: Record<string, string>) {
  return (await eventsOf(calendar, query)).map(({ occurrence_date, start, end }) => [occurrence_date, start, end]);
}

export async function daysOf(calendar: Calendar, query?: Record<string, string>) {
  return (await eventsOf(calendar, query)).map(({ occurrence_date }) => occurrence_date);
}

/** The microsecond at which each occurrence last changed, by its original day, deleted ones too. */
export async function stampsOf({ calendarId }: Calendar): Promise<Record<string, string>> {
  const rows = await db().query<{ day: string; at: string }>(
    `SELECT coalesce(day::text, 'single') AS day,
  (CASE WHEN state = 2 THEN o.updated_at ELSE greatest(o.updated_at, content_changed_at) END)::text AS at
FROM occurrences o JOIN events e ON e.id = o.master_id WHERE o.calendar_id = $1 ORDER BY day`,
    [calendarId],
  );
  return Object.fromEntries(rows.map(({ day, at }) => [day, at]));
}

/** Which occurrences changed their `updated` during `work`, by their original days. */
export async function updatedBy(calendar: Calendar, work: () => Promise<unknown>): Promise<string[]> {
  const before = await stampsOf(calendar);
  await work();
  const after = await stampsOf(calendar);
  return Object.keys(after).filter((day) => after[day] !== before[day]);
}
