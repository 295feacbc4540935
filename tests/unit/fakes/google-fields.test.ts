import { readFileSync } from "node:fs";
import type { calendar_v3 } from "@googleapis/calendar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import { officialClient, weekly } from "./google-client";

/** The types that Google generates from its discovery document. */
const reference = readFileSync(
  new URL("../../../node_modules/@googleapis/calendar/build/v3.d.ts", import.meta.url),
  "utf8",
);

/** The names of the fields of a type, without those of objects inside it. */
function fieldsOf(type: string): string[] {
  const body = new RegExp(`interface Schema\\$${type} \\{\\n([\\s\\S]*?)\\n {4}\\}`).exec(reference)?.[1] ?? "";
  return [...body.matchAll(/^ {8}(\w+)\?:/gm)].map(([, name]) => name ?? "");
}

const unknown = (type: string, value: object) => Object.keys(value).filter((name) => !fieldsOf(type).includes(name));

let google: GoogleFake;
let api: calendar_v3.Calendar;

beforeEach(async () => {
  google = await startGoogle();
  api = officialClient(google);
});
afterEach(() => google.close());

describe("the fields of responses", () => {
  it("are those of the reference, for events, attendees, times and conferences", async () => {
    const requestBody = weekly({
      attendees: [{ email: "bob@example.com" }, { email: "ada@example.com" }],
      conferenceData: { createRequest: { requestId: "one", conferenceSolutionKey: { type: "hangoutsMeet" } } },
    });
    const { data } = await api.events.insert({ calendarId: "primary", requestBody, conferenceDataVersion: 1 });
    const { data: list } = await api.events.list({ calendarId: "primary", singleEvents: true });
    expect(fieldsOf("Event")).toContain("hangoutLink");
    expect(unknown("Events", list)).toEqual([]);
    for (const event of [data, ...(list.items ?? [])]) expect(unknown("Event", event)).toEqual([]);
    for (const attendee of data.attendees ?? []) expect(unknown("EventAttendee", attendee)).toEqual([]);
    for (const point of data.conferenceData?.entryPoints ?? []) expect(unknown("EntryPoint", point)).toEqual([]);
    expect(unknown("EventDateTime", data.start ?? {})).toEqual([]);
    expect(unknown("ConferenceData", data.conferenceData ?? {})).toEqual([]);
    expect(unknown("CreateConferenceRequest", data.conferenceData?.createRequest ?? {})).toEqual([]);
    expect(unknown("ConferenceSolution", data.conferenceData?.conferenceSolution ?? {})).toEqual([]);
  });

  it("are those of the reference, for calendars and channels", async () => {
    google.account("ada@example.com").addCalendar({ summary: "Team", description: "All of us" });
    const { data } = await api.calendarList.list();
    expect(fieldsOf("CalendarListEntry")).toContain("conferenceProperties");
    expect(unknown("CalendarList", data)).toEqual([]);
    expect(data.items).toHaveLength(2);
    for (const entry of data.items ?? []) expect(unknown("CalendarListEntry", entry)).toEqual([]);
    google.notices.mode = "drop";
    const channel = { id: "one", type: "web_hook", address: "https://almanac.test/push", token: "t" };
    const watched = await api.events.watch({ calendarId: "primary", requestBody: channel });
    expect(unknown("Channel", watched.data)).toEqual([]);
  });
});
