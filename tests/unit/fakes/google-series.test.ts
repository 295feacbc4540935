import type { calendar_v3 } from "@googleapis/calendar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/google/calendar-state";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import { failure, meeting, officialClient, weekly } from "./google-client";

type Event = calendar_v3.Schema$Event;

let google: GoogleFake;
let api: calendar_v3.Calendar;
let state: CalendarState;

beforeEach(async () => {
  google = await startGoogle();
  api = officialClient(google);
  state = google.account("ada@example.com").primary;
});
afterEach(() => google.close());

const calendarId = "primary";
const insert = async (requestBody: Event) => (await api.events.insert({ calendarId, requestBody })).data;
const get = async (eventId: string) => (await api.events.get({ calendarId, eventId })).data;
const patch = async (eventId: string, requestBody: Event) =>
  (await api.events.patch({ calendarId, eventId, requestBody })).data;
const instances = async (eventId: string, more: Partial<calendar_v3.Params$Resource$Events$Instances> = {}) =>
  (await api.events.instances({ calendarId, eventId, ...more })).data.items ?? [];
const starts = (events: Event[]) => events.map(({ start }) => start?.dateTime ?? start?.date);
const invalid = { status: 400, reason: "invalid" };
const series = "series01";
const second = `${series}_20270308T080000Z`;

describe("recurrence", () => {
  it("needs a time zone in start and end of timed events", async () => {
    const start = { dateTime: "2027-03-01T09:00:00+01:00" };
    const end = { dateTime: "2027-03-01T10:00:00+01:00" };
    const missing = { status: 400, reason: "required" };
    expect(await failure(insert(weekly({ start })))).toEqual(missing);
    expect(await failure(insert(weekly({ end })))).toEqual(missing);
    expect(await insert(meeting({ start, end }))).toMatchObject({ start: { timeZone: "Europe/Berlin" } });
  });

  it.each([
    ["an unknown frequency", ["RRULE:FREQ=SOMETIMES"]],
    ["no frequency", ["RRULE:COUNT=2"]],
    ["a bad weekday", ["RRULE:FREQ=WEEKLY;BYDAY=XX"]],
    ["COUNT and UNTIL", ["RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270401T000000Z"]],
    ["UNTIL as a date in a timed series", ["RRULE:FREQ=DAILY;UNTIL=20270401"]],
    ["UNTIL in local time", ["RRULE:FREQ=DAILY;UNTIL=20270401T090000"]],
    ["DTSTART", ["DTSTART:20270301T080000Z", "RRULE:FREQ=DAILY"]],
    ["DTEND", ["DTEND:20270301T090000Z", "RRULE:FREQ=DAILY"]],
    ["no property name", ["FREQ=DAILY"]],
    ["a bad EXDATE", ["RRULE:FREQ=DAILY", "EXDATE:tomorrow"]],
  ])("400 for %s", async (_, recurrence) => {
    expect(await failure(insert(meeting({ recurrence })))).toEqual(invalid);
  });

  it("400 for UNTIL as a time in an all-day series", async () => {
    const days = { start: { date: "2027-03-01" }, end: { date: "2027-03-02" } };
    expect(await failure(insert({ ...days, recurrence: ["RRULE:FREQ=DAILY;UNTIL=20270303T000000Z"] }))).toEqual(
      invalid,
    );
    const { id } = await insert({ ...days, recurrence: ["RRULE:FREQ=DAILY;UNTIL=20270303"] });
    const all = await instances(id ?? "");
    expect(starts(all)).toEqual(["2027-03-01", "2027-03-02", "2027-03-03"]);
    expect(all[1]).toMatchObject({
      id: `${id}_20270302`,
      originalStartTime: { date: "2027-03-02" },
      end: { date: "2027-03-03" },
    });
  });

  it("has its start as the first instance, which COUNT counts, also off the pattern of the rule", async () => {
    await insert(meeting({ id: series, recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=3"] }));
    expect(starts(await instances(series)).map((start) => start?.slice(0, 10))).toEqual([
      "2027-03-01",
      "2027-03-03",
      "2027-03-10",
    ]);
  });

  it("adds RDATE, and takes away EXDATE and EXRULE", async () => {
    const recurrence = [
      "RRULE:FREQ=DAILY;COUNT=5",
      "RDATE;TZID=Europe/Berlin:20270310T120000",
      "EXDATE;TZID=Europe/Berlin:20270302T090000",
      "EXDATE:20270304T080000Z",
      "EXRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=1",
    ];
    await insert(meeting({ id: series, recurrence }));
    expect(starts(await instances(series))).toEqual([
      "2027-03-01T09:00:00+01:00",
      "2027-03-03T09:00:00+01:00",
      "2027-03-10T12:00:00+01:00",
    ]);
  });
});

describe("events.instances", () => {
  it("has ids of the series and the original start in UTC", async () => {
    await insert(weekly({ id: series }));
    const all = await instances(series);
    expect(all.map(({ id }) => id)).toEqual([
      `${series}_20270301T080000Z`,
      second,
      `${series}_20270315T080000Z`,
      `${series}_20270322T080000Z`,
      `${series}_20270329T070000Z`,
      `${series}_20270405T070000Z`,
    ]);
    const { iCalUID } = await get(series);
    for (const one of all) expect(one).toMatchObject({ recurringEventId: series, iCalUID, summary: "Planning" });
    for (const one of all) expect(one).not.toHaveProperty("recurrence");
  });

  it("restricts by window, original start and page, and leaves out what is cancelled", async () => {
    await insert(weekly({ id: series }));
    await api.events.delete({ calendarId, eventId: second });
    expect(await instances(series)).toHaveLength(5);
    expect(
      (await instances(series, { showDeleted: true })).filter(({ status }) => status === "cancelled"),
    ).toHaveLength(1);
    expect(await instances(series, { timeMin: "2027-03-20T00:00:00Z", timeMax: "2027-04-01T00:00:00Z" })).toHaveLength(
      2,
    );
    expect(await instances(series, { originalStart: "2027-03-29T09:00:00+02:00" })).toHaveLength(1);
    const { data } = await api.events.instances({ calendarId, eventId: series, maxResults: 2 });
    expect(data.items).toHaveLength(2);
    expect(await instances(series, { pageToken: data.nextPageToken ?? "" })).toHaveLength(3);
    expect(await failure(instances("unknown"))).toEqual({ status: 404, reason: "notFound" });
  });

  it("ends somewhere for a series that never ends", async () => {
    await insert(meeting({ id: series, recurrence: ["RRULE:FREQ=DAILY"] }));
    expect(await instances(series, { maxResults: 2500 })).toHaveLength(730);
    expect(await instances(series, { timeMin: "2030-01-01T00:00:00Z", timeMax: "2030-01-08T00:00:00Z" })).toHaveLength(
      7,
    );
  });
});

describe("an instance", () => {
  beforeEach(() => insert(weekly({ id: series, attendees: [{ email: "bob@example.com" }] })));

  it("can be read by its id, and has the etag of its series", async () => {
    const instance = await get(second);
    expect(instance).toMatchObject({ recurringEventId: series, start: { dateTime: "2027-03-08T09:00:00+01:00" } });
    expect(instance.etag).toBe((await get(series)).etag);
    expect(await failure(get(`${series}_20270309T080000Z`))).toEqual({ status: 404, reason: "notFound" });
    expect(await failure(get(`${series}_20270308`))).toEqual({ status: 404, reason: "notFound" });
  });

  it("becomes an exception by a patch, and keeps its original start when it moves", async () => {
    const start = { dateTime: "2027-03-09T15:00:00+01:00" };
    const moved = await patch(second, { start, end: { dateTime: "2027-03-09T16:00:00+01:00" } });
    expect(moved).toMatchObject({
      id: second,
      start: { dateTime: "2027-03-09T15:00:00+01:00" },
      originalStartTime: { dateTime: "2027-03-08T09:00:00+01:00" },
      attendees: [{ email: "bob@example.com" }],
    });
    expect(starts(await instances(series))).toContain("2027-03-09T15:00:00+01:00");
    expect((await get(series)).sequence).toBe(0);
  });

  it("becomes an exception by a put, which drops what it omits", async () => {
    const { data } = await api.events.update({
      calendarId,
      eventId: second,
      requestBody: meeting({ summary: "Special" }),
    });
    expect(data).toMatchObject({ id: second, summary: "Special", recurringEventId: series });
    expect(data).not.toHaveProperty("attendees");
    expect(await get(series)).toMatchObject({ summary: "Planning" });
  });

  it("is cancelled by a delete or by its status, and comes back by its status", async () => {
    await api.events.delete({ calendarId, eventId: second });
    expect(await failure(api.events.delete({ calendarId, eventId: second }))).toEqual({
      status: 410,
      reason: "deleted",
    });
    expect(await get(second)).toMatchObject({ status: "cancelled", recurringEventId: series });
    await patch(second, { status: "confirmed" });
    expect(await instances(series)).toHaveLength(6);
    await patch(second, { status: "cancelled" });
    expect(await instances(series)).toHaveLength(5);
  });

  it("412 for another etag", async () => {
    await patch(series, { summary: "New" });
    const stale = api.events.patch(
      { calendarId, eventId: second, requestBody: {} },
      { headers: { "If-Match": '"1"' } },
    );
    expect(await failure(stale)).toEqual({ status: 412, reason: "conditionNotMet" });
  });

  it("makes the whole series more private, and never less", async () => {
    await patch(second, { visibility: "private" });
    expect(await get(series)).toMatchObject({ visibility: "private" });
    expect(await patch(second, { visibility: "public" })).toMatchObject({ visibility: "private" });
  });
});

describe("a change of a series", () => {
  beforeEach(async () => {
    await insert(weekly({ id: series }));
    await patch(second, { location: "Room 2" });
    await api.events.delete({ calendarId, eventId: `${series}_20270315T080000Z` });
  });

  it("in other fields than time reaches its exceptions, and keeps them", async () => {
    await patch(series, { summary: "New", location: "Room 1" });
    expect(await get(second)).toMatchObject({ summary: "New", location: "Room 2" });
    expect(await instances(series)).toHaveLength(5);
  });

  it("of the length reaches exceptions that were not moved", async () => {
    await patch(series, { end: { dateTime: "2027-03-01T12:00:00+01:00" } });
    expect(await get(second)).toMatchObject({ location: "Room 2", end: { dateTime: "2027-03-08T12:00:00+01:00" } });
    await patch(second, { start: { dateTime: "2027-03-08T10:00:00+01:00" } });
    await patch(series, { end: { dateTime: "2027-03-01T11:00:00+01:00" } });
    expect(await get(second)).toMatchObject({ end: { dateTime: "2027-03-08T12:00:00+01:00" } });
  });

  it("of the start drops exceptions", async () => {
    const times = {
      start: { dateTime: "2027-03-01T11:00:00+01:00", timeZone: "Europe/Berlin" },
      end: { dateTime: "2027-03-01T12:00:00+01:00", timeZone: "Europe/Berlin" },
    };
    await patch(series, times);
    const all = await instances(series);
    expect(all).toHaveLength(6);
    expect(all.some(({ location }) => location)).toBe(false);
    expect(await get(second)).toMatchObject({ status: "cancelled" });
  });

  it("of the rule drops exceptions, also where the instance stays", async () => {
    const { data: before } = await api.events.list({ calendarId });
    await patch(series, { recurrence: ["RRULE:FREQ=WEEKLY;COUNT=7"] });
    const all = await instances(series);
    expect(all).toHaveLength(7);
    expect(all.some(({ location }) => location)).toBe(false);
    const { data } = await api.events.list({ calendarId, syncToken: before.nextSyncToken ?? "" });
    expect(data.items?.map(({ id }) => id)).toEqual([series]);
  });

  it("by EXDATE alone drops only what it excludes", async () => {
    await patch(series, { recurrence: ["RRULE:FREQ=WEEKLY;COUNT=6", "EXDATE;TZID=Europe/Berlin:20270322T090000"] });
    expect(await get(second)).toMatchObject({ location: "Room 2" });
    expect(await instances(series)).toHaveLength(4);
    await patch(series, { recurrence: ["RRULE:FREQ=WEEKLY;COUNT=6", "EXDATE;TZID=Europe/Berlin:20270308T090000"] });
    expect(await get(second)).toMatchObject({ status: "cancelled" });
  });

  it("to a single event cancels its exceptions", async () => {
    const { data: before } = await api.events.list({ calendarId });
    expect(await patch(series, { recurrence: [] })).not.toHaveProperty("recurrence");
    const { data } = await api.events.list({ calendarId, syncToken: before.nextSyncToken ?? "" });
    expect(data.items).toMatchObject([
      { id: series, status: "confirmed" },
      { id: second, status: "cancelled" },
    ]);
  });

  it("by deletion cancels its exceptions, whatever their status", async () => {
    await patch(second, { status: "tentative" });
    await api.events.delete({ calendarId, eventId: series });
    expect((await api.events.list({ calendarId })).data.items).toEqual([]);
    expect(await get(second)).toMatchObject({ status: "cancelled" });
    expect(await failure(api.events.delete({ calendarId, eventId: second }))).toEqual({
      status: 410,
      reason: "deleted",
    });
  });
});

describe("the web UI", () => {
  it("moves, deletes and changes single occurrences, and lets guests respond to one", async () => {
    const id = state.putEvent(weekly({ attendees: [{ email: "bob@example.com" }] }));
    const to = { start: { dateTime: "2027-03-09T09:00:00+01:00" }, end: { dateTime: "2027-03-09T10:00:00+01:00" } };
    const moved = state.moveOccurrence(id, { dateTime: "2027-03-08T09:00:00+01:00" }, to);
    state.deleteOccurrence(id, { dateTime: "2027-03-15T09:00:00+01:00" });
    state.reply(moved, "bob@example.com", "tentative");
    const all = await instances(id);
    expect(all).toHaveLength(5);
    expect(all.find((one) => one.id === moved)?.attendees).toMatchObject([{ responseStatus: "tentative" }]);
    expect((await get(id)).attendees).toMatchObject([{ email: "bob@example.com" }]);
    expect(() => state.deleteOccurrence(id, { dateTime: "2027-03-10T09:00:00+01:00" })).toThrow("no instance");
  });

  it("can invite to one occurrence of a series that is not on the calendar", async () => {
    const id = "foreign_20270308T080000Z";
    const originalStartTime = { dateTime: "2027-03-08T09:00:00+01:00" };
    state.putEvent(
      meeting({ id, recurringEventId: "foreign", originalStartTime, organizer: { email: "carol@other.test" } }),
    );
    expect((await api.events.list({ calendarId })).data.items).toMatchObject([{ id, recurringEventId: "foreign" }]);
  });
});
