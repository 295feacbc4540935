import type { calendar_v3 } from "@googleapis/calendar";
import { beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/google/calendar-state";
import type { GoogleFake } from "../../fakes/google/google";
import { adaAndBob, failure, meeting, weekly } from "./google-client";

type ListParameters = Omit<calendar_v3.Params$Resource$Events$List, "calendarId">;

let google: GoogleFake;
let api: calendar_v3.Calendar;
let state: CalendarState;

beforeEach(async () => {
  ({ google, api, state } = await adaAndBob());
  return google.close;
});

const list = async (parameters: ListParameters = {}, calendarId = "primary") =>
  (await api.events.list({ calendarId, ...parameters })).data;
const ids = ({ items = [] }: calendar_v3.Schema$Events) => items.map(({ id }) => id);
const tokenNow = async (parameters: ListParameters = {}) => (await list(parameters)).nextSyncToken ?? "";

describe("events.list", () => {
  it("describes the calendar", async () => {
    expect(await list()).toMatchObject({
      kind: "calendar#events",
      summary: "ada@example.com",
      timeZone: "Europe/Berlin",
      accessRole: "owner",
      defaultReminders: [{ method: "popup", minutes: 10 }],
      updated: expect.stringMatching(/Z$/),
      items: [],
    });
  });

  it("sends the parts that `fields` names", async () => {
    const attendees = [{ email: "ada@example.com" }, { email: "bob@example.com" }];
    state.putEvent(meeting({ id: "one12345", attendees }));
    const fields = "timeZone,items(id,organizer/email,attendees(self,responseStatus)),nextPageToken";
    expect(await list({ fields, maxAttendees: 1 })).toEqual({
      timeZone: "Europe/Berlin",
      items: [{ id: "one12345", organizer: { email: "ada@example.com" }, attendees: [{ self: true }] }],
    });
    expect(await failure(list({ fields: "items(id" }))).toEqual({ status: 400, reason: "invalidParameter" });
  });

  it("returns series whole, and changed instances as events of their own", async () => {
    const series = state.putEvent(weekly());
    const to = { start: { dateTime: "2027-03-08T15:00:00+01:00" }, end: { dateTime: "2027-03-08T16:00:00+01:00" } };
    state.moveOccurrence(series, { dateTime: "2027-03-08T09:00:00+01:00" }, to);
    const { items } = await list();
    expect(items?.map(({ id }) => id)).toEqual([series, `${series}_20270308T080000Z`]);
    expect(items?.[0]?.recurrence).toEqual(["RRULE:FREQ=WEEKLY;COUNT=6"]);
    expect(items?.[1]).toMatchObject({
      recurringEventId: series,
      originalStartTime: { dateTime: "2027-03-08T09:00:00+01:00", timeZone: "Europe/Berlin" },
      start: { dateTime: "2027-03-08T15:00:00+01:00" },
    });
    expect(items?.[1]).not.toHaveProperty("recurrence");
  });

  it("includes cancelled instances of series that are not cancelled, and no other deleted events", async () => {
    const series = state.putEvent(weekly());
    const gone = state.putEvent(meeting());
    const instance = state.deleteOccurrence(series, { dateTime: "2027-03-15T09:00:00+01:00" });
    state.deleteEvent(gone);
    const { items } = await list();
    expect(items?.[1]).toEqual({
      kind: "calendar#event",
      etag: expect.any(String),
      id: instance,
      status: "cancelled",
      recurringEventId: series,
      originalStartTime: { dateTime: "2027-03-15T09:00:00+01:00", timeZone: "Europe/Berlin" },
    });
    expect(items).toHaveLength(2);
    expect((await list({ showDeleted: true })).items?.[1]).toMatchObject({
      id: gone,
      status: "cancelled",
      summary: "Planning",
    });
  });

  it("expands series with singleEvents, in local time across the change of clocks", async () => {
    const series = state.putEvent(weekly());
    state.deleteOccurrence(series, { dateTime: "2027-03-15T09:00:00+01:00" });
    const { items } = await list({ singleEvents: true, orderBy: "startTime" });
    expect(items?.map(({ start }) => start?.dateTime)).toEqual([
      "2027-03-01T09:00:00+01:00",
      "2027-03-08T09:00:00+01:00",
      "2027-03-22T09:00:00+01:00",
      "2027-03-29T09:00:00+02:00",
      "2027-04-05T09:00:00+02:00",
    ]);
    expect(items?.[0]).toMatchObject({ id: `${series}_20270301T080000Z`, recurringEventId: series });
  });

  it("filters by timeMin, below the end, and timeMax, above the start, both exclusive", async () => {
    const early = state.putEvent(meeting());
    const late = state.putEvent(
      meeting({ start: { dateTime: "2027-03-01T12:00:00Z" }, end: { dateTime: "2027-03-01T13:00:00Z" } }),
    );
    const series = state.putEvent(weekly());
    expect(ids(await list({ timeMin: "2027-03-01T09:00:00Z", timeMax: "2027-03-01T12:00:01Z" }))).toEqual([late]);
    expect(ids(await list({ timeMin: "2027-03-01T08:59:59Z", timeMax: "2027-03-01T12:00:00Z" }))).toEqual([
      early,
      series,
    ]);
    expect(ids(await list({ timeMin: "2027-04-01T00:00:00Z" }))).toEqual([series]);
    expect(ids(await list({ timeMin: "2027-05-01T00:00:00Z" }))).toEqual([]);
  });

  it("400 for times without offset, an empty range, and an order that is not available", async () => {
    expect(await failure(list({ timeMin: "2027-03-01T08:00:00" }))).toEqual({ status: 400, reason: "invalid" });
    const empty = { timeMin: "2027-03-02T00:00:00Z", timeMax: "2027-03-01T00:00:00Z" };
    expect(await failure(list(empty))).toEqual({ status: 400, reason: "timeRangeEmpty" });
    expect(await failure(list({ orderBy: "startTime" }))).toEqual({ status: 400, reason: "invalid" });
  });

  it("filters by q, iCalUID, extended properties and event types", async () => {
    const one = state.putEvent(
      meeting({ summary: "Budget", extendedProperties: { private: { app: "almanac", n: "1" } } }),
    );
    const other = state.putEvent(meeting({ eventType: "focusTime" }));
    expect(ids(await list({ q: "budg" }))).toEqual([one]);
    expect(ids(await list({ iCalUID: `${other}@google.com` }))).toEqual([other]);
    expect(ids(await list({ privateExtendedProperty: ["app=almanac", "n=1"] }))).toEqual([one]);
    expect(ids(await list({ privateExtendedProperty: ["app=almanac", "n=2"] }))).toEqual([]);
    expect(ids(await list({ eventTypes: ["focusTime"] }))).toEqual([other]);
    expect((await list({ q: "budg" })).nextSyncToken).toBeUndefined();
  });

  it("shows times in the zone of the calendar, or of the request", async () => {
    state.putEvent(
      meeting({
        start: { dateTime: "2027-07-01T09:00:00", timeZone: "America/New_York" },
        end: { dateTime: "2027-07-01T14:00:00Z" },
      }),
    );
    const start = async (parameters: ListParameters) => (await list(parameters)).items?.[0]?.start;
    expect(await start({})).toEqual({ dateTime: "2027-07-01T15:00:00+02:00", timeZone: "America/New_York" });
    expect(await start({ timeZone: "UTC" })).toEqual({
      dateTime: "2027-07-01T13:00:00Z",
      timeZone: "America/New_York",
    });
    expect(await failure(list({ timeZone: "Mars/Olympus" }))).toEqual({ status: 400, reason: "invalid" });
  });

  it("gives events without details on a freeBusyReader calendar, and private ones to a reader", async () => {
    const ada = google.account("ada@example.com");
    const id = ada.addSharedCalendar({ owner: "bob@example.com", summary: "Bob's", accessRole: "freeBusyReader" });
    google.calendar(id).putEvent(meeting({ visibility: "private", location: "Home" }));
    const shown = async () => (await list({}, id)).items?.[0];
    expect(await shown()).toMatchObject({ visibility: "private", start: { dateTime: "2027-03-01T09:00:00+01:00" } });
    expect(await shown()).not.toHaveProperty("summary");
    ada.changeAccess(id, "reader");
    expect(await shown()).not.toHaveProperty("location");
    ada.changeAccess(id, "writer");
    expect(await shown()).toMatchObject({ summary: "Planning", location: "Home" });
  });

  it("404 for a calendar that the account may not see", async () => {
    expect(await failure(list({}, "bob@example.com"))).toEqual({ status: 404, reason: "notFound" });
    const id = google.account("ada@example.com").addCalendar({ summary: "Mine" });
    google.account("ada@example.com").removeCalendar(id);
    expect(await failure(list({}, id))).toEqual({ status: 404, reason: "notFound" });
  });

  it("pages by maxResults, 250 by default and 2500 at most", async () => {
    for (let count = 0; count < 2600; count += 1) state.putEvent(meeting());
    expect((await list()).items).toHaveLength(250);
    const first = await list({ maxResults: 5000 });
    expect(first.items).toHaveLength(2500);
    expect(first.nextSyncToken).toBeUndefined();
    const second = await list({ maxResults: 5000, pageToken: first.nextPageToken ?? "" });
    expect(second.items).toHaveLength(100);
    expect(second.nextSyncToken).toBeDefined();
    expect(await failure(list({ maxResults: 0 }))).toEqual({ status: 400, reason: "invalid" });
  });

  it("loses no change that happens between two pages", async () => {
    google.knobs.pageSize = 1;
    const [one, two, three] = [state.putEvent(meeting()), state.putEvent(meeting()), state.putEvent(meeting())];
    const first = await list();
    expect(ids(first)).toEqual([one]);
    state.changeEvent(one, { summary: "Changed behind the page" });
    state.deleteEvent(two);
    const second = await list({ pageToken: first.nextPageToken ?? "" });
    expect(ids(second)).toEqual([three]);
    google.knobs.pageSize = 10;
    const changes = await list({ syncToken: second.nextSyncToken ?? "" });
    expect(changes.items).toMatchObject([
      { id: one, summary: "Changed behind the page" },
      { id: two, status: "cancelled" },
    ]);
  });

  it("400 for a page token with other parameters than the first page's, its sync token included", async () => {
    google.knobs.pageSize = 1;
    const syncToken = await tokenNow();
    state.putEvent(meeting());
    state.putEvent(meeting());
    const pageToken = (await list()).nextPageToken ?? "";
    const invalid = { status: 400, reason: "invalid" };
    expect(await failure(list({ pageToken, singleEvents: true }))).toEqual(invalid);
    expect(await failure(list({ pageToken: "nonsense" }))).toEqual(invalid);
    const next = (await list({ syncToken })).nextPageToken ?? "";
    expect(await failure(list({ pageToken: next }))).toEqual(invalid);
    expect((await list({ syncToken, pageToken: next, maxResults: 5 })).items).toHaveLength(1);
  });
});

describe("events.list with a sync token", () => {
  it("returns what changed, deleted events with their id alone", async () => {
    const [kept, changed, deleted] = [meeting(), meeting(), meeting()].map(state.putEvent);
    const syncToken = await tokenNow();
    state.changeEvent(changed ?? "", { summary: "New" });
    state.deleteEvent(deleted ?? "");
    const { items, nextSyncToken } = await list({ syncToken });
    expect(items).toMatchObject([{ id: changed, summary: "New" }, { id: deleted }]);
    expect(items?.[1]).toEqual({ kind: "calendar#event", etag: expect.any(String), id: deleted, status: "cancelled" });
    expect(items?.map(({ id }) => id)).not.toContain(kept);
    expect((await list({ syncToken: nextSyncToken ?? "" })).items).toEqual([]);
  });

  it("returns cancelled instances with their series and original start", async () => {
    const series = state.putEvent(weekly());
    const syncToken = await tokenNow();
    const instance = state.deleteOccurrence(series, { dateTime: "2027-03-29T09:00:00+02:00" });
    expect((await list({ syncToken })).items).toMatchObject([
      { id: instance, recurringEventId: series, originalStartTime: { dateTime: "2027-03-29T09:00:00+02:00" } },
    ]);
  });

  it("returns details of deleted events with showDeleted, unless the knob says otherwise", async () => {
    const id = state.putEvent(meeting());
    const syncToken = await tokenNow();
    state.deleteEvent(id);
    expect((await list({ syncToken, showDeleted: true })).items?.[0]).toMatchObject({ summary: "Planning" });
    google.knobs.cancelled = "guaranteed";
    expect((await list({ syncToken, showDeleted: true })).items?.[0]).not.toHaveProperty("summary");
  });

  it("returns of cancelled instances nothing but the id if the knob says so", async () => {
    const series = state.putEvent(weekly());
    state.deleteOccurrence(series, { dateTime: "2027-03-08T09:00:00+01:00" });
    google.knobs.cancelled = "id only";
    const { items } = await list();
    const id = `${series}_20270308T080000Z`;
    expect(items?.[1]).toEqual({ kind: "calendar#event", etag: expect.any(String), id, status: "cancelled" });
  });

  it("knows after a full list nothing of what was deleted before and forgotten", async () => {
    state.deleteEvent(state.putEvent(meeting()));
    state.forgetDeleted();
    expect((await list({ showDeleted: true })).items).toEqual([]);
  });

  it.each([
    ["iCalUID", { iCalUID: "x" }],
    ["orderBy", { orderBy: "updated" }],
    ["privateExtendedProperty", { privateExtendedProperty: ["a=b"] }],
    ["q", { q: "x" }],
    ["sharedExtendedProperty", { sharedExtendedProperty: ["a=b"] }],
    ["timeMin", { timeMin: "2027-01-01T00:00:00Z" }],
    ["timeMax", { timeMax: "2027-01-01T00:00:00Z" }],
    ["updatedMin", { updatedMin: new Date().toISOString() }],
    ["showDeleted=false", { showDeleted: false }],
    ["another singleEvents", { singleEvents: true }],
  ])("400 with %s", async (_, parameters) => {
    expect(await failure(list({ syncToken: await tokenNow(), ...parameters }))).toEqual({
      status: 400,
      reason: "invalid",
    });
  });

  it("accepts the token of a list with a window, and then ignores the window", async () => {
    const syncToken = await tokenNow({ timeMin: "2027-01-01T00:00:00Z" });
    const old = { start: { date: "2020-01-01" }, end: { date: "2020-01-02" } };
    const id = state.putEvent(old);
    expect(ids(await list({ syncToken }))).toEqual([id]);
  });

  it("410 fullSyncRequired when expired, unreadable, or after a change of access", async () => {
    const gone = { status: 410, reason: "fullSyncRequired" };
    const syncToken = await tokenNow();
    state.expireSyncTokens();
    expect(await failure(list({ syncToken }))).toEqual(gone);
    expect(await failure(list({ syncToken: "nonsense" }))).toEqual(gone);
    const ada = google.account("ada@example.com");
    const shared = ada.addSharedCalendar({ owner: "bob@example.com", summary: "Bob's", accessRole: "writer" });
    const token = (await list({}, shared)).nextSyncToken ?? "";
    ada.changeAccess(shared, "reader");
    expect(await failure(list({ syncToken: token }, shared))).toEqual(gone);
  });

  it("gives every instance of a changed series when singleEvents is set", async () => {
    const series = state.putEvent(weekly());
    const syncToken = await tokenNow({ singleEvents: true });
    state.changeEvent(series, { summary: "New" });
    const { items } = await list({ syncToken, singleEvents: true });
    expect(items).toHaveLength(6);
    state.deleteEvent(series);
    const after = await list({ syncToken, singleEvents: true });
    expect(after.items?.every(({ status }) => status === "cancelled")).toBe(true);
  });
});

describe("events.list with updatedMin", () => {
  it("returns what changed since, deleted events included", async () => {
    state.putEvent(meeting());
    google.advance(60_000);
    const updatedMin = new Date(Date.now() + 30_000).toISOString();
    const id = state.putEvent(meeting());
    state.deleteEvent(id);
    expect((await list({ updatedMin })).items).toMatchObject([{ id, status: "cancelled" }]);
  });

  it("410 updatedMinTooLongAgo when it lies too far back", async () => {
    const updatedMin = "2020-01-01T00:00:00Z";
    expect(await failure(list({ updatedMin }))).toEqual({ status: 410, reason: "updatedMinTooLongAgo" });
  });
});
