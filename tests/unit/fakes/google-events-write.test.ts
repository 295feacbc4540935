import type { calendar_v3 } from "@googleapis/calendar";
import { beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/google/calendar-state";
import type { GoogleFake } from "../../fakes/google/google";
import { adaAndBob, failure, meeting } from "./google-client";

type Event = calendar_v3.Schema$Event;

let google: GoogleFake;
let api: calendar_v3.Calendar;
let state: CalendarState;

beforeEach(async () => {
  ({ google, api, state } = await adaAndBob());
  return google.close;
});

const insert = async (requestBody: Event, more: Omit<calendar_v3.Params$Resource$Events$Insert, "calendarId"> = {}) =>
  (await api.events.insert({ calendarId: "primary", requestBody, ...more })).data;
const get = async (eventId: string) => (await api.events.get({ calendarId: "primary", eventId })).data;
const patch = async (
  eventId: string,
  requestBody: Event,
  more: Partial<calendar_v3.Params$Resource$Events$Patch> = {},
) => (await api.events.patch({ calendarId: "primary", eventId, requestBody, ...more })).data;
const put = async (
  eventId: string,
  requestBody: Event,
  more: Partial<calendar_v3.Params$Resource$Events$Update> = {},
) => (await api.events.update({ calendarId: "primary", eventId, requestBody, ...more })).data;
const remove = (eventId: string, ifMatch?: string) =>
  api.events.delete({ calendarId: "primary", eventId }, ifMatch ? { headers: { "If-Match": ifMatch } } : {});
const invalid = { status: 400, reason: "invalid" };

describe("events.insert", () => {
  it("stores every field that a client may write, and derives the rest", async () => {
    const fields = {
      id: "almanac0001",
      description: "<b>Bring</b> numbers",
      location: "Room 1",
      colorId: "3",
      visibility: "private",
      transparency: "transparent",
      extendedProperties: { private: { app: "a" }, shared: { b: "c" } },
      source: { title: "Almanac", url: "https://almanac.test/1" },
      reminders: { useDefault: false, overrides: [{ method: "popup", minutes: 5 }] },
    };
    const event = await insert(meeting(fields));
    expect(event).toMatchObject({
      ...fields,
      kind: "calendar#event",
      status: "confirmed",
      eventType: "default",
      iCalUID: "almanac0001@google.com",
      sequence: 0,
      creator: { email: "ada@example.com", self: true },
      organizer: { email: "ada@example.com", self: true },
      start: { dateTime: "2027-03-01T09:00:00+01:00", timeZone: "Europe/Berlin" },
    });
    expect(event.htmlLink).toContain("/calendar/event?eid=");
    expect(event.created).toMatch(/Z$/);
    expect(await get("almanac0001")).toEqual(event);
  });

  it("makes the calendar the organizer on a secondary calendar", async () => {
    const calendarId = google.account("ada@example.com").addCalendar({ summary: "Team" });
    const { data } = await api.events.insert({ calendarId, requestBody: meeting() });
    expect(data.organizer).toEqual({ email: calendarId, displayName: "Team", self: true });
    expect(data.creator).toEqual({ email: "ada@example.com" });
  });

  it("409 duplicate for an id that exists, also when it was deleted", async () => {
    await insert(meeting({ id: "almanac0001" }));
    expect(await failure(insert(meeting({ id: "almanac0001" })))).toEqual({ status: 409, reason: "duplicate" });
    await remove("almanac0001");
    expect(await failure(insert(meeting({ id: "almanac0001" })))).toEqual({ status: 409, reason: "duplicate" });
  });

  it("keeps all-day events as dates", async () => {
    const event = await insert({ start: { date: "2027-03-01" }, end: { date: "2027-03-03" } });
    expect([event.start, event.end]).toEqual([{ date: "2027-03-01" }, { date: "2027-03-03" }]);
  });

  it.each<[string, Event, string]>([
    ["an id of other characters", meeting({ id: "UPPER-case" }), "invalid"],
    ["an id of 4 characters", meeting({ id: "abcd" }), "invalid"],
    ["an id of 1025 characters", meeting({ id: "a".repeat(1025) }), "invalid"],
    ["no start", { end: { date: "2027-03-01" } }, "required"],
    ["no end", { start: { date: "2027-03-01" } }, "required"],
    ["a time without offset and zone", meeting({ start: { dateTime: "2027-03-01T09:00:00" } }), "required"],
    ["an unknown zone", meeting({ start: { dateTime: "2027-03-01T09:00:00", timeZone: "Nowhere" } }), "invalid"],
    ["a date that does not exist", { start: { date: "2027-02-30" }, end: { date: "2027-03-01" } }, "invalid"],
    ["an end before the start", meeting({ end: { dateTime: "2027-03-01T07:00:00Z" } }), "timeRangeEmpty"],
    ["a date and a time", meeting({ start: { date: "2027-03-01" } }), "invalid"],
    ["a description of 8193 characters", meeting({ description: "x".repeat(8193) }), "invalid"],
    ["an unknown visibility", meeting({ visibility: "secret" }), "invalid"],
    ["an unknown transparency", meeting({ transparency: "grey" }), "invalid"],
    ["an unknown color", meeting({ colorId: "12" }), "invalid"],
    ["an unknown status", meeting({ status: "maybe" }), "invalid"],
    ["a source without http", meeting({ source: { url: "ftp://x" } }), "invalid"],
    ["an attendee without email", meeting({ attendees: [{ displayName: "X" }] }), "required"],
    ["an attendee with a bad email", meeting({ attendees: [{ email: "nobody" }] }), "invalid"],
    ["an unknown response", meeting({ attendees: [{ email: "x@y.test", responseStatus: "yes" }] }), "invalid"],
    ["the type fromGmail", meeting({ eventType: "fromGmail" }), "invalid"],
    ["a birthday that is not all-day", meeting({ eventType: "birthday" }), "invalid"],
    ["an unknown type", meeting({ eventType: "party" }), "invalid"],
  ])("400 for %s", async (_, event, reason) => {
    expect(await failure(insert(event))).toEqual({ status: 400, reason });
  });

  it.each(["focusTime", "outOfOffice", "workingLocation"])("creates events of type %s", async (eventType) => {
    expect(await insert(meeting({ eventType }))).toMatchObject({ eventType });
  });

  it("rewrites reminders that it does not like", async () => {
    const stored = async (overrides: calendar_v3.Schema$EventReminder[]) =>
      (await insert(meeting({ reminders: { useDefault: false, overrides } }))).reminders;
    expect(await stored([{ method: "popup", minutes: 50_400 }])).toMatchObject({ overrides: [{ minutes: 40_320 }] });
    expect(await stored([{ method: "popup", minutes: -5 }])).toMatchObject({ overrides: [{ minutes: 0 }] });
    expect(await stored([{ method: "sms", minutes: 5 }])).toEqual({ useDefault: false });
    const twice = { method: "email", minutes: 5 };
    expect(await stored([twice, twice])).toEqual({ useDefault: false, overrides: [twice] });
  });

  it("drops extended properties with long keys, and cuts long values", async () => {
    const long = { ["k".repeat(45)]: "x", ["k".repeat(44)]: "v".repeat(1025) };
    const event = await insert(meeting({ extendedProperties: { private: long, shared: long } }));
    const kept = { ["k".repeat(44)]: "v".repeat(1024) };
    expect(event.extendedProperties).toEqual({ private: kept, shared: kept });
  });

  it("400 for default reminders beside others, and for a sixth reminder", async () => {
    const overrides = [1, 2, 3, 4, 5, 6].map((minutes) => ({ method: "popup", minutes }));
    const refused = (reminders: Event["reminders"]) => failure(insert(meeting({ reminders })));
    const both = { status: 400, reason: "cannotUseDefaultRemindersAndSpecifyOverride" };
    expect(await refused({ useDefault: true, overrides: overrides.slice(0, 1) })).toEqual(both);
    expect(await refused({ useDefault: false, overrides })).toEqual({
      status: 400,
      reason: "eventRemindersCountExceedsLimit",
    });
    const event = await insert(meeting({ reminders: { useDefault: false, overrides: overrides.slice(0, 1) } }));
    expect(await failure(patch(event.id ?? "", { reminders: { useDefault: true } }))).toEqual(both);
    expect(await patch(event.id ?? "", { reminders: { useDefault: true, overrides: [] } })).toMatchObject({
      reminders: { useDefault: true },
    });
  });

  it("creates a birthday that is all-day and annual", async () => {
    const times = { start: { date: "2027-03-01" }, end: { date: "2027-03-02" } };
    const event = await insert({ ...times, eventType: "birthday", recurrence: ["RRULE:FREQ=YEARLY"] });
    expect(event.eventType).toBe("birthday");
  });

  it("403 requiredAccessLevel on a calendar that may only be read", async () => {
    const shared = { owner: "bob@example.com", summary: "Bob's", accessRole: "reader" } as const;
    const calendarId = google.account("ada@example.com").addSharedCalendar(shared);
    const refused = api.events.insert({ calendarId, requestBody: meeting() });
    expect(await failure(refused)).toEqual({ status: 403, reason: "requiredAccessLevel" });
    google.account("ada@example.com").changeAccess(calendarId, "writerWithoutPrivateAccess");
    expect((await api.events.insert({ calendarId, requestBody: meeting() })).status).toBe(200);
  });

  it("stores attachments only with supportsAttachments, at most 25", async () => {
    const attachments = [{ fileUrl: "https://drive.test/1", title: "Plan" }];
    expect(await insert(meeting({ attachments }))).not.toHaveProperty("attachments");
    expect(await insert(meeting({ attachments }), { supportsAttachments: true })).toMatchObject({ attachments });
    const many = Array.from({ length: 26 }, () => ({ fileUrl: "https://drive.test/1" }));
    expect(await failure(insert(meeting({ attachments: many }), { supportsAttachments: true }))).toEqual(invalid);
  });
});

describe("events.get", () => {
  it("404 for an unknown event, and returns deleted ones as cancelled", async () => {
    expect(await failure(get("unknown"))).toEqual({ status: 404, reason: "notFound" });
    const { id } = await insert(meeting());
    await remove(id ?? "");
    expect(await get(id ?? "")).toMatchObject({ status: "cancelled", summary: "Planning" });
  });

  it("304 for If-None-Match with the current etag", async () => {
    const { id, etag } = await insert(meeting());
    const ask = () =>
      fetch(`${google.origin}/calendar/v3/calendars/primary/events/${id}`, {
        headers: { authorization: `Bearer ${google.accessToken("ada@example.com")}`, "if-none-match": etag ?? "" },
      });
    expect((await ask()).status).toBe(304);
    await patch(id ?? "", { summary: "New" });
    expect((await ask()).status).toBe(200);
  });

  it("returns the participant alone when there are more than maxAttendees", async () => {
    const attendees = [{ email: "ada@example.com" }, { email: "x@y.test" }, { email: "z@y.test" }];
    const { id } = await insert(meeting({ attendees }));
    const { data } = await api.events.get({ calendarId: "primary", eventId: id ?? "", maxAttendees: 2 });
    expect(data.attendeesOmitted).toBe(true);
    expect(data.attendees).toMatchObject([{ email: "ada@example.com", self: true, organizer: true }]);
    expect((await get(id ?? "")).attendees).toHaveLength(3);
  });

  it("shows the source to the creator alone", async () => {
    const source = { url: "https://other.test/" };
    const id = state.putEvent(meeting({ source, creator: { email: "carol@other.test" } }));
    expect(await get(id)).not.toHaveProperty("source");
  });
});

describe("events.update", () => {
  it("replaces the event: omitted fields are dropped", async () => {
    const attendees = [{ email: "x@y.test" }];
    const full = meeting({
      description: "Text",
      location: "Room",
      attendees,
      extendedProperties: { private: { a: "b" } },
    });
    const { id = "", iCalUID, created } = await insert(full);
    const after = await put(id ?? "", meeting({ summary: "New" }));
    expect(after).toMatchObject({ id, iCalUID, created, summary: "New", organizer: { self: true } });
    for (const name of ["description", "location", "attendees", "extendedProperties"])
      expect(after).not.toHaveProperty(name);
  });

  it("400 without start or end, 404 for an unknown event", async () => {
    const { id } = await insert(meeting());
    expect(await failure(put(id ?? "", { summary: "x" }))).toEqual({ status: 400, reason: "required" });
    expect(await failure(put("unknown", meeting()))).toEqual({ status: 404, reason: "notFound" });
  });

  it("brings a deleted event back", async () => {
    const { id } = await insert(meeting());
    await remove(id ?? "");
    expect(await put(id ?? "", meeting({ status: "confirmed" }))).toMatchObject({ id, status: "confirmed" });
  });

  it("does not change the type of an event", async () => {
    const { id } = await insert(meeting());
    expect(await failure(put(id ?? "", meeting({ eventType: "focusTime" })))).toEqual(invalid);
    const focus = await insert(meeting({ eventType: "focusTime" }));
    expect(await put(focus.id ?? "", meeting())).toMatchObject({ eventType: "focusTime" });
  });

  it("412 conditionNotMet for another etag than the current one", async () => {
    const { id, etag } = await insert(meeting());
    const headers = { "If-Match": etag ?? "" };
    const update = () =>
      api.events.update({ calendarId: "primary", eventId: id ?? "", requestBody: meeting() }, { headers });
    const { data } = await update();
    expect(data.etag).not.toBe(etag);
    expect(await failure(update())).toEqual({ status: 412, reason: "conditionNotMet" });
    expect(await failure(remove(id ?? "", etag ?? ""))).toEqual({ status: 412, reason: "conditionNotMet" });
    expect((await remove(id ?? "", data.etag ?? "")).status).toBe(204);
  });

  it("refuses shared properties on a copy that is not the organizer's", async () => {
    const id = state.putEvent(meeting({ organizer: { email: "carol@other.test" }, guestsCanModify: true }));
    const forbidden = { status: 403, reason: "forbiddenForNonOrganizer" };
    expect(await failure(patch(id, { guestsCanInviteOthers: false }))).toEqual(forbidden);
    expect(await failure(put(id, meeting()))).toEqual(forbidden);
    expect(await patch(id, { colorId: "2" })).toMatchObject({ colorId: "2", guestsCanModify: true });
  });

  it("ignores the source of another creator's event, and birthday properties", async () => {
    const times = { start: { date: "2027-03-01" }, end: { date: "2027-03-02" } };
    const birthdayProperties = { type: "birthday" };
    const fields = { eventType: "birthday", recurrence: ["RRULE:FREQ=YEARLY"], birthdayProperties };
    const { id } = await insert({ ...times, ...fields });
    expect(await patch(id ?? "", { birthdayProperties: { type: "self" } })).toMatchObject({ birthdayProperties });
    const source = { url: "https://other.test/" };
    const other = state.putEvent(meeting({ source, creator: { email: "carol@other.test" } }));
    await patch(other, { source: { url: "https://almanac.test/" } });
    expect(state.event(other)).toMatchObject({ source });
  });

  it("counts the sequence up with the time, and refuses a lower number", async () => {
    const { id } = await insert(meeting());
    expect((await put(id ?? "", meeting({ summary: "New" }))).sequence).toBe(0);
    expect((await patch(id ?? "", { end: { dateTime: "2027-03-01T11:00:00+01:00" } })).sequence).toBe(1);
    expect(await failure(patch(id ?? "", { sequence: 0 }))).toEqual(invalid);
  });
});

describe("events.patch", () => {
  it("merges objects, replaces arrays whole, and clears by null", async () => {
    const { id } = await insert(
      meeting({
        description: "Text",
        attendees: [{ email: "x@y.test" }, { email: "z@y.test" }],
        extendedProperties: { private: { a: "1", b: "2" } },
      }),
    );
    const after = await patch(id ?? "", {
      description: null,
      attendees: [{ email: "z@y.test" }],
      extendedProperties: { private: { a: "3" } },
    });
    expect(after).not.toHaveProperty("description");
    expect(after).toMatchObject({ summary: "Planning", extendedProperties: { private: { a: "3", b: "2" } } });
    expect(after.attendees).toEqual([{ email: "z@y.test", responseStatus: "needsAction" }]);
  });

  it("keeps a time beside a new date unless null clears it", async () => {
    const { id } = await insert(meeting());
    const dates = { start: { date: "2027-03-01" }, end: { date: "2027-03-02" } };
    expect(await failure(patch(id ?? "", dates))).toEqual(invalid);
    const cleared = { start: { ...dates.start, dateTime: null }, end: { ...dates.end, dateTime: null } };
    expect(await patch(id ?? "", cleared)).toMatchObject({ start: { date: "2027-03-01" } });
  });

  it("brings a deleted event back by its status", async () => {
    const { id } = await insert(meeting());
    await remove(id ?? "");
    expect(await patch(id ?? "", { status: "confirmed" })).toMatchObject({ status: "confirmed", summary: "Planning" });
  });

  it("changes the etag each time, and updated except for reminders", async () => {
    const first = await insert(meeting());
    google.advance(60_000);
    const second = await patch(first.id ?? "", { reminders: { useDefault: false } });
    expect(second.etag).not.toBe(first.etag);
    expect(second.updated).toBe(first.updated);
    const third = await patch(first.id ?? "", { summary: "New" });
    expect(third.updated).not.toBe(first.updated);
  });
});

describe("events.delete", () => {
  it("204, then 410 deleted, and 404 for an unknown event", async () => {
    const { id } = await insert(meeting());
    expect((await remove(id ?? "")).status).toBe(204);
    expect(await failure(remove(id ?? ""))).toEqual({ status: 410, reason: "deleted" });
    expect(await failure(remove("unknown"))).toEqual({ status: 404, reason: "notFound" });
  });
});
