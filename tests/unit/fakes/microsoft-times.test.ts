import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findIana, WINDOWS_TO_IANA_MAP } from "windows-iana";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { windowsZones } from "../../fakes/microsoft/zone-names";
import { adaOfMicrosoft, failure, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const post = (event: Event): Promise<Event> => api.api("/me/events").post(event);
const inZone = (id: string | undefined, zone: string): Promise<Event> =>
  api.api(`/me/events/${id}`).header("Prefer", `outlook.timezone="${zone}"`).get();
const at = (dateTime: string, timeZone: string) => ({ dateTime, timeZone });
const view = async (from: string, to: string): Promise<Event[]> =>
  (await api.api(`/me/calendarView?startDateTime=${from}&endDateTime=${to}`).get()).value;

describe("the zones of Windows", () => {
  it("are all those of another table, and keep the same time but where its city has left", () => {
    const clocks = (zone: string) =>
      [1, 3, 7, 10].map((month) =>
        new Date(Date.UTC(2027, month, 15)).toLocaleString("en", {
          timeZone: zone,
          dateStyle: "short",
          timeStyle: "short",
        }),
      );
    const names = new Set(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => windowsName));
    const differing = [...names].filter((name) => {
      const [place = "UTC"] = findIana(name);
      return JSON.stringify(clocks(place)) !== JSON.stringify(clocks(windowsZones.get(name) ?? "Etc/GMT-14"));
    });
    // That table still names Chihuahua, which went over to Central time in 2022.
    expect(differing).toEqual(["Mountain Standard Time (Mexico)"]);
    expect(windowsZones.size).toBe(names.size);
  });
});

describe("a time", () => {
  it("is shown in UTC, or in the zone that the client prefers, by the name that it used", async () => {
    const { id, start } = await post(meeting());
    expect(start).toEqual(at("2027-03-01T08:00:00.0000000", "UTC"));
    expect((await inZone(id, "Tokyo Standard Time")).start).toEqual(
      at("2027-03-01T17:00:00.0000000", "Tokyo Standard Time"),
    );
    expect((await inZone(id, "America/New_York")).start).toEqual(at("2027-03-01T03:00:00.0000000", "America/New_York"));
  });

  it("is UTC without a zone", async () => {
    const { start, originalStartTimeZone } = await post({
      start: { dateTime: "2027-03-01T09:00:00" },
      end: { dateTime: "2027-03-01T10:00:00" },
    });
    expect([start?.dateTime, originalStartTimeZone]).toEqual(["2027-03-01T09:00:00.0000000", "UTC"]);
  });

  it("written with a name of the tz database keeps the Windows name", async () => {
    const event = await post(
      meeting({ start: at("2027-03-01T09:00:00", "Europe/Berlin"), end: at("2027-03-01T10:00:00", "Europe/Paris") }),
    );
    expect([event.originalStartTimeZone, event.originalEndTimeZone]).toEqual([
      "W. Europe Standard Time",
      "Romance Standard Time",
    ]);
  });

  it("has a zone that the reference lists: others are refused unless the fake is told otherwise", async () => {
    const event = meeting({ start: at("2027-03-01T09:00:00", "Europe/Vienna") });
    expect(await failure(post(event))).toEqual({ status: 400, code: "TimeZoneNotSupportedException" });
    microsoft.knobs.zoneNames = "any place";
    expect((await post(event)).start?.dateTime).toBe("2027-03-01T08:00:00.0000000");
    expect(await failure(inZone(state.events()[0]?.id, "Mars/Olympus"))).toMatchObject({ status: 400 });
  });

  it.each([
    ["in the hour that is left out, is shifted", "2027-03-28T02:30:00", "2027-03-28T01:30:00.0000000"],
    ["in the hour that comes twice, is the first", "2027-10-31T02:30:00", "2027-10-31T00:30:00.0000000"],
  ])("%s", async (_, local, utc) => {
    const event = meeting({ start: at(local, "W. Europe Standard Time"), end: at(local, "W. Europe Standard Time") });
    expect((await post(event)).start?.dateTime).toBe(utc);
  });

  it("of a zone that Outlook once made has the name of all such zones", async () => {
    const id = state.putEvent({ ...weekly(), hasCustomZone: true });
    const { originalStartTimeZone, originalEndTimeZone, recurrence, start } = await inZone(id, "UTC");
    expect([originalStartTimeZone, originalEndTimeZone]).toEqual([
      "tzone://Microsoft/Custom",
      "tzone://Microsoft/Custom",
    ]);
    expect(recurrence?.range?.recurrenceTimeZone).toBe("Customized Time Zone");
    expect(start?.dateTime).toBe("2027-03-01T08:00:00.0000000");
  });
});

describe("an all-day event", () => {
  const allDay = (zone: string, more: Event = {}): Event => ({
    subject: "Holiday",
    isAllDay: true,
    start: at("2027-03-01T00:00:00", zone),
    end: at("2027-03-02T00:00:00", zone),
    ...more,
  });

  it.each([
    "UTC-11",
    "Hawaiian Standard Time",
    "W. Europe Standard Time",
    "New Zealand Standard Time",
    "Line Islands Standard Time",
  ])("of %s is shown from midnight to midnight whatever the client prefers", async (zone) => {
    const { id, originalStartTimeZone } = await post(allDay(zone));
    expect(originalStartTimeZone).toBe(zone);
    for (const preferred of ["UTC", "Line Islands Standard Time", "UTC-11"]) {
      const { start, end, isAllDay } = await inZone(id, preferred);
      expect([start?.dateTime, end?.dateTime, isAllDay]).toEqual([
        "2027-03-01T00:00:00.0000000",
        "2027-03-02T00:00:00.0000000",
        true,
      ]);
      expect(start?.timeZone).toBe(preferred);
    }
  });

  it("lies in the day of its zone, not of UTC", async () => {
    await post(allDay("New Zealand Standard Time"));
    expect(await view("2027-02-28T12:00:00Z", "2027-02-28T23:00:00Z")).toHaveLength(1);
    expect(await view("2027-03-01T12:00:00Z", "2027-03-01T23:00:00Z")).toHaveLength(0);
  });

  it.each<[string, Event]>([
    ["that begins at noon", { start: at("2027-03-01T12:00:00", "UTC") }],
    ["that ends at noon", { end: at("2027-03-02T12:00:00", "UTC") }],
    ["of no day", { end: at("2027-03-01T00:00:00", "UTC") }],
    ["in two zones", { end: at("2027-03-02T00:00:00", "Tokyo Standard Time") }],
  ])("%s is refused", async (_, more) => {
    expect(await failure(post(allDay("UTC", more)))).toMatchObject({ status: 400, code: "ErrorInvalidRequest" });
  });

  it("of a day without 24 hours is as good as another", async () => {
    const day = {
      start: at("2027-03-28T00:00:00", "W. Europe Standard Time"),
      end: at("2027-03-29T00:00:00", "W. Europe Standard Time"),
    };
    expect(await post(allDay("UTC", day))).toMatchObject({ isAllDay: true });
  });

  it("can become a timed one, and a timed one an all-day one with times at midnight", async () => {
    const { id } = await post(allDay("UTC"));
    expect(await api.api(`/me/events/${id}`).patch({ isAllDay: false })).toMatchObject({ isAllDay: false });
    const timed = await post(meeting());
    expect(await failure(api.api(`/me/events/${timed.id}`).patch({ isAllDay: true }))).toMatchObject({ status: 400 });
    const { start, end } = allDay("UTC");
    expect(await api.api(`/me/events/${timed.id}`).patch({ isAllDay: true, start, end })).toMatchObject({
      isAllDay: true,
    });
  });
});
