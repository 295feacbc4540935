import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { eventChangedAt, eventIds, storedEvents } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { connectedWithTokens, withToken } from "./grants";
import { expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { call, newApplication, type Opened, openCalendar } from "./service";

const DAY = dayFromNow(10);
const NEXT = dayFromNow(11);
const meeting = {
  event_id: "meeting-1",
  summary: "Board meeting",
  start: `${DAY}T09:30:00Z`,
  end: `${DAY}T10:00:00Z`,
};
const atPath = (calendarId: string) => `/v1/calendars/${calendarId}/events`;

async function eventsOf({ get }: Opened) {
  const { status, json } = await get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
  expect(status).toBe(200);
  return json.events;
}

describe("202", () => {
  it("has an empty body", async () => {
    const { post, calendarId } = await openCalendar();
    expectEmpty(await post(atPath(calendarId), meeting), 202);
  });

  it("makes the event visible in GET /v1/events at once, with every documented field", async () => {
    const opened = await openCalendar(undefined, "room-7");
    await opened.write({
      ...meeting,
      description: "Numbers of the quarter",
      location: { description: "Room 7" },
      url: "https://acme.io/board",
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await eventsOf(opened)).toEqual([
      {
        calendar_id: opened.calendarId,
        event_uid: expect.stringMatching(/^evt_/),
        event_id: "meeting-1",
        summary: "Board meeting",
        description: "Numbers of the quarter",
        start: `${DAY}T09:30:00Z`,
        end: `${DAY}T10:00:00Z`,
        deleted: false,
        created: time,
        updated: time,
        location: { description: "Room 7" },
        url: "https://acme.io/board",
        participation_status: "accepted",
        attendees: [],
        transparency: "opaque",
        extended_transparency: "opaque",
        event_private: false,
        organizer: { email: `${opened.accountId}@api.almanac.localhost`, display_name: "room-7" },
        status: "confirmed",
        categories: [],
        recurring: false,
        options: { delete: true, update: true, change_participation_status: false },
      },
    ]);
  });

  it("makes the event visible in GET /v1/free_busy at once", async () => {
    const opened = await openCalendar();
    await opened.write(meeting);
    const query = { tzid: "Etc/UTC", include_managed: "true", include_ids: "true" };
    expect((await opened.get("/v1/free_busy", query)).json.free_busy).toEqual([
      {
        calendar_id: opened.calendarId,
        event_uid: (await eventsOf(opened))[0].event_uid,
        start: `${DAY}T09:30:00Z`,
        end: `${DAY}T10:00:00Z`,
        free_busy_status: "busy",
        event_id: "meeting-1",
      },
    ]);
  });

  it("leaves out what was not sent: location and url are missing, the description is empty, the event opaque", async () => {
    const opened = await openCalendar();
    await opened.write(meeting);
    const [event] = await eventsOf(opened);
    expect(event).toMatchObject({ description: "", transparency: "opaque", extended_transparency: "opaque" });
    for (const field of ["location", "url", "conferencing", "recurrence", "series_identifier", "occurrence_date"]) {
      expect(event).not.toHaveProperty(field);
    }
  });

  it("takes transparency transparent, which shows the time as free", async () => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, transparency: "transparent" });
    expect(await eventsOf(opened)).toMatchObject([
      { transparency: "transparent", extended_transparency: "transparent" },
    ]);
    const { json } = await opened.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy).toMatchObject([{ free_busy_status: "free" }]);
  });

  it.each([
    ["a time with Z", `${DAY}T09:30:00Z`, `${DAY}T09:30:00Z`],
    ["a time with an offset", `${DAY}T09:30:00-05:30`, `${DAY}T15:00:00Z`],
    ["a time with an offset that changes the day", `${DAY}T23:30:00-02:00`, `${NEXT}T01:30:00Z`],
    ["a time with a fraction, which is dropped", `${DAY}T09:30:00.999Z`, `${DAY}T09:30:00Z`],
    ["a space for the T", `${DAY} 09:30:00Z`, `${DAY}T09:30:00Z`],
    ["a time without seconds", `${DAY}T09:30Z`, `${DAY}T09:30:00Z`],
    ["a time without seconds, with an offset", `${DAY}T09:30+02:00`, `${DAY}T07:30:00Z`],
    ["an offset without colon", `${DAY}T09:30:00+0200`, `${DAY}T07:30:00Z`],
    ["an offset of hours alone", `${DAY}T09:30:00-05`, `${DAY}T14:30:00Z`],
    ["a local time without seconds", { time: `${DAY}T09:30`, tzid: "Asia/Tokyo" }, `${DAY}T00:30:00Z`],
    ["a local time with its tzid", { time: `${DAY}T09:30:00`, tzid: "Asia/Tokyo" }, `${DAY}T00:30:00Z`],
    ["a time with an offset and a tzid", { time: `${DAY}T09:30:00Z`, tzid: "Asia/Tokyo" }, `${DAY}T09:30:00Z`],
    ["an alias of a zone", { time: `${DAY}T09:30:00`, tzid: "Japan" }, `${DAY}T00:30:00Z`],
  ])("takes as start %s", async (_, start, returned) => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, start, end: `${NEXT}T12:00:00Z` });
    expect(await eventsOf(opened)).toMatchObject([{ start: returned, end: `${NEXT}T12:00:00Z` }]);
  });

  it.each([
    ["dates", DAY, NEXT],
    ["dates with their tzid", { time: DAY, tzid: "Asia/Tokyo" }, { time: NEXT, tzid: "Asia/Tokyo" }],
  ])("takes %s for an all-day event, whose end is exclusive", async (_, start, end) => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, start, end });
    expect(await eventsOf(opened)).toMatchObject([{ start: DAY, end: NEXT }]);
  });

  it.each([
    [`${DAY}T09:30:00Z`, `${DAY}T09:30:00Z`],
    [`${DAY}T09:30:00+02:00`, `${DAY}T07:30:00Z`],
    [DAY, DAY],
  ])("takes an end that is not before the start: %s to %s", async (start, end) => {
    const opened = await openCalendar();
    expectEmpty(await opened.post(atPath(opened.calendarId), { ...meeting, start, end }), 202);
  });

  it("takes the first and the last day there is", async () => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, start: "0001-01-01T00:00:00Z", end: "9999-12-31T23:59:59Z" });
    await opened.write({ ...meeting, event_id: "days", start: "0001-01-01", end: "9999-12-31" });
    const events: { event_id: string }[] = await eventsOf(opened);
    expect(events.sort((a, b) => a.event_id.localeCompare(b.event_id))).toMatchObject([
      { event_id: "days", start: "0001-01-01", end: "9999-12-31" },
      { event_id: "meeting-1", start: "0001-01-01T00:00:00Z", end: "9999-12-31T23:59:59Z" },
    ]);
  });

  it.each([
    ["tzid", { tzid: "us/pacific" }, "us/pacific"],
    ["the tzid inside start", { start: { time: `${DAY}T09:30:00Z`, tzid: "Europe/Kyiv" } }, "Europe/Kyiv"],
    [
      "tzid before the one inside start",
      { tzid: "Europe/Kiev", start: { time: `${DAY}T09:30:00Z`, tzid: "Asia/Tokyo" } },
      "Europe/Kiev",
    ],
    ["no time zone when none is sent", {}, null],
  ])("keeps as the event's time zone %s, in the caller's own spelling", async (_, fields, tzid) => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, ...fields });
    expect(await storedEvents(opened.calendarId)).toMatchObject([{ tzid }]);
  });

  it("returns texts as they were sent", async () => {
    const texts =
      '𝄞 عربي e\u0301 <script>alert(1)</script> "quotes" \\ \'; DROP TABLE events; --\n\t\u0001\u2028 $1 %s';
    const opened = await openCalendar();
    await opened.write({
      ...meeting,
      event_id: texts,
      summary: texts,
      description: texts,
      location: { description: texts },
      url: texts,
    });
    expect(await eventsOf(opened)).toMatchObject([
      { event_id: texts, summary: texts, description: texts, location: { description: texts }, url: texts },
    ]);
  });

  it.each([
    "https://acme.io/board?x=1#y",
    "HTTP://ACME.IO",
    "mailto:ada@acme.io",
    "tel:+41446681800",
    "webcal://acme.io/team.ics",
    "zoommtg://zoom.us/join?confno=1",
    "msteams:/l/meetup-join/1",
    "facetime://ada@acme.io",
    "message:%3C1@acme.io%3E",
    "www.acme.io/board",
    "/board/7",
    "Room 7: https://acme.io",
    "",
  ])("returns the url as it was sent: %s", async (url) => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, url });
    expect((await eventsOf(opened))[0].url ?? "").toBe(url);
  });

  it("accepts and ignores fields the API does not have", async () => {
    const opened = await openCalendar();
    await opened.write({
      ...meeting,
      reminders: [{ minutes: 5 }],
      color: "#ff0000",
      event_private: true,
      locale: "de",
      status: "cancelled",
      event_uid: "evt_x",
      organizer: null,
    });
    expect(await eventsOf(opened)).toMatchObject([
      { event_private: false, status: "confirmed", summary: meeting.summary },
    ]);
  });

  it.each<[string, object]>([
    ["description", { description: null }],
    ["location", { location: null }],
    ["location.description", { location: { description: null } }],
    ["url", { url: null }],
    ["transparency", { transparency: null }],
    ["tzid", { tzid: null }],
    ["notify_attendees", { notify_attendees: null }],
    ["conferencing", { conferencing: null }],
    ["both lists of guests", { attendees: { invite: null, remove: null } }],
    [
      "all of them",
      {
        description: null,
        location: null,
        url: null,
        transparency: null,
        tzid: null,
        notify_attendees: null,
        recurrence: null,
        conferencing: null,
      },
    ],
  ])("takes null as though it were omitted, as serializers write it: %s", async (_, fields) => {
    const [opened, other] = [await openCalendar(), await openCalendar()];
    await opened.write({ ...meeting, ...fields });
    await other.write(meeting);
    const unstamped = async (calendar: Opened) =>
      (await eventsOf(calendar)).map(
        ({ calendar_id, event_uid, created, updated, organizer, ...event }: object & Record<string, unknown>) => event,
      );
    expect(await unstamped(opened)).toEqual(await unstamped(other));
    const [{ tzid } = { tzid: "" }] = await storedEvents(opened.calendarId);
    expect(tzid).toBeNull();
  });

  it("takes the guests of one list beside null for the other", async () => {
    const opened = await openCalendar();
    const [ada, bob] = [{ email: "ada@acme.io" }, { email: "bob@acme.io" }];
    const silent = { ...meeting, notify_attendees: false };
    await opened.write({ ...silent, attendees: { invite: [ada, bob], remove: null } });
    await opened.write({ ...silent, attendees: { invite: null, remove: [bob] } });
    expect(await eventsOf(opened)).toMatchObject([{ attendees: [ada] }]);
  });

  it.each([true, false])("takes notify_attendees %s", async (notify_attendees) => {
    const opened = await openCalendar();
    expectEmpty(await opened.post(atPath(opened.calendarId), { ...meeting, notify_attendees }), 202);
  });

  it("takes an empty summary and an empty location", async () => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, summary: "", location: {} });
    const [event] = await eventsOf(opened);
    expect(event.summary).toBe("");
    expect(event).not.toHaveProperty("location");
  });
});

describe("writing an event_id again", () => {
  it("leaves one event when the body is the same, and changes nothing", async () => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, location: { description: "Room 7" }, tzid: "Asia/Tokyo" });
    const [events, stored] = [await eventsOf(opened), await storedEvents(opened.calendarId)];
    await opened.write({ ...meeting, location: { description: "Room 7" }, tzid: "Asia/Tokyo" });
    expect(await eventsOf(opened)).toEqual(events);
    expect(await storedEvents(opened.calendarId)).toEqual(stored);
  });

  it("replaces the whole event: what is not sent again is gone", async () => {
    const opened = await openCalendar();
    await opened.write({
      ...meeting,
      description: "d",
      location: { description: "l" },
      url: "u",
      transparency: "transparent",
      tzid: "Asia/Tokyo",
    });
    const [before] = await eventsOf(opened);
    await opened.write({ ...meeting, summary: "Moved", start: DAY, end: NEXT });
    const [after, ...others] = await eventsOf(opened);
    expect(others).toEqual([]);
    expect(after).toMatchObject({ summary: "Moved", start: DAY, end: NEXT, description: "", transparency: "opaque" });
    expect(after).not.toHaveProperty("location");
    expect(after).not.toHaveProperty("url");
    expect(after.created).toBe(before.created);
    expect(await storedEvents(opened.calendarId)).toMatchObject([{ tzid: null }]);
    const { json } = await opened.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy).toMatchObject([{ start: DAY, end: NEXT, free_busy_status: "busy" }]);
  });

  it("removes what is not sent again from an event of an earlier version, which did not store who set its texts", async () => {
    const opened = await openCalendar();
    await opened.write({ ...meeting, description: "d", location: { description: "l" }, url: "u" });
    await db().query("UPDATE events SET own_texts = NULL WHERE calendar_id = $1", [opened.calendarId]);
    await opened.write(meeting);
    const [{ description, location, url }] = await eventsOf(opened);
    expect({ description, location, url }).toEqual({ description: "", location: undefined, url: undefined });
  });

  it("keeps the event_uid across rewrites, until the event is deleted", async () => {
    const opened = await openCalendar();
    await opened.write(meeting);
    const [first] = await eventsOf(opened);
    await opened.write({ ...meeting, summary: "Other" });
    expect(await eventsOf(opened)).toMatchObject([{ event_uid: first.event_uid }]);
    await opened.remove(atPath(opened.calendarId), { event_id: meeting.event_id });
    await opened.write(meeting);
    const [again] = await eventsOf(opened);
    expect(again.event_uid).not.toBe(first.event_uid);
  });

  it("gives it a later updated time, to the microsecond", async () => {
    const opened = await openCalendar();
    const times: string[] = [];
    for (const summary of ["a", "b", "c"]) {
      await opened.write({ ...meeting, summary });
      times.push(await eventChangedAt(opened.calendarId));
    }
    expect(new Set(times).size).toBe(3);
    expect([...times].sort()).toEqual(times);
  });

  it("is an event of its own in each calendar", async () => {
    const application = await newApplication();
    const [one, other] = [await openCalendar(application), await openCalendar(application)];
    await one.write(meeting);
    await other.write({ ...meeting, summary: "Other" });
    expect(await eventsOf(one)).toMatchObject([{ summary: "Board meeting" }]);
    expect(await eventsOf(other)).toMatchObject([{ summary: "Other" }]);
  });

  it("tells event_ids apart by every character", async () => {
    const opened = await openCalendar();
    const ids = ["a", "A", "a ", "e\u0301", "\u00e9", "0", "null"];
    for (const event_id of ids) await opened.write({ ...meeting, event_id });
    const events: { event_id: string }[] = await eventsOf(opened);
    expect(events.map(({ event_id }) => event_id).sort()).toEqual([...ids].sort());
  });

  it("leaves one event, one of those sent, of 20 parallel writes", async () => {
    const opened = await openCalendar();
    const summaries = Array.from({ length: 20 }, (_, i) => `Version ${i}`);
    const answers = await Promise.all(
      summaries.map((summary) => opened.post(atPath(opened.calendarId), { ...meeting, summary })),
    );
    for (const answer of answers) expectEmpty(answer, 202);
    const events = await eventsOf(opened);
    expect(events).toHaveLength(1);
    expect(summaries).toContain(events[0].summary);
  });
});

describe("401", () => {
  it("comes before the body is looked at", async () => {
    const { calendarId } = await openCalendar();
    expectSignedOut(await call("POST", atPath(calendarId), { json: {} }), "invalid_request");
    expectSignedOut(await withToken("POST", atPath(calendarId), "at_unknown", {}), "invalid_token");
  });
});

describe("403", () => {
  it("is the answer to writing to a read-only calendar; a malformed body answers with its mistake first", async () => {
    const { accessToken, calendarIds } = await connectedWithTokens(await newApplication());
    expectEmpty(await withToken("POST", atPath(calendarIds.readonly), accessToken, meeting), 403);
    expectEmpty(await withToken("POST", atPath(calendarIds.writable), accessToken, meeting), 202);
    const malformed = await withToken("POST", atPath(calendarIds.readonly), accessToken, { ...meeting, summary: 5 });
    expectIssues(malformed, { summary: "errors.invalid_type" });
    expect(await eventIds(calendarIds.readonly)).toEqual([]);
  });
});

describe("404", () => {
  it.each(["cal_unknown", "%00", "%F0%9D%84%9E", "a%2Fb", "x".repeat(2000)])(
    "is the answer to a calendar the account does not have: %s",
    async (id) => {
      const { post } = await openCalendar();
      expectEmpty(await post(atPath(id), meeting), 404);
    },
  );

  it("is the answer to a calendar of another account and of another application, as to none", async () => {
    const mine = await openCalendar();
    const [sister, stranger] = [await openCalendar(mine.application), await openCalendar()];
    for (const { calendarId } of [sister, stranger]) {
      expectEmpty(await mine.post(atPath(calendarId), meeting), 404);
      expectIssues(await mine.post(atPath(calendarId), {}), {
        event_id: "errors.required",
        summary: "errors.required",
        start: "errors.required",
        end: "errors.required",
      });
    }
    expect(await storedEvents(sister.calendarId)).toEqual([]);
    expect(await storedEvents(stranger.calendarId)).toEqual([]);
  });
});

describe("422", () => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await openCalendar();
  });
  const send = (fields: object) => opened.post(atPath(opened.calendarId), { ...meeting, ...fields });

  it.each(["event_id", "summary", "start", "end"])("errors.required: %s is missing", async (field) => {
    expectIssues(await send({ [field]: undefined }), { [field]: "errors.required" });
  });

  it.each([
    ["event_id", 5],
    ["event_id", null],
    ["summary", null],
    ["summary", ["x"]],
    ["description", 5],
    ["start", 5],
    ["start", null],
    ["start", [DAY]],
    ["end", true],
    ["tzid", 5],
    ["location", "Room 7"],
    ["location", []],
    ["url", {}],
    ["notify_attendees", "true"],
    ["notify_attendees", 1],
  ])("errors.invalid_type: %s is %j", async (field, value) => {
    expectIssues(await send({ [field]: value }), { [field]: "errors.invalid_type" });
  });

  it("errors.invalid_type: location.description and what is inside start", async () => {
    expectIssues(await send({ location: { description: 5 } }), { "location.description": "errors.invalid_type" });
    expectIssues(await send({ start: { time: 5, tzid: 5 } }), {
      "start.time": "errors.invalid_type",
      "start.tzid": "errors.invalid_type",
    });
  });

  it("errors.required: time or tzid is missing inside start or end", async () => {
    expectIssues(await send({ start: {} }), { "start.time": "errors.required", "start.tzid": "errors.required" });
    expectIssues(await send({ end: { time: `${NEXT}T09:30:00Z` } }), { "end.tzid": "errors.required" });
    expectIssues(await send({ end: { tzid: "Asia/Tokyo" } }), { "end.time": "errors.required" });
  });

  it.each([
    ["event_id", 512],
    ["summary", 2_000],
    ["description", 50_000],
    ["url", 2_048],
  ])("errors.too_big: %s over %i characters, which are code points", async (field, limit) => {
    const at = await send({ event_id: `limit-${field}`, [field]: "𝄞".repeat(limit) });
    expectEmpty(at, 202);
    expectIssues(await send({ [field]: "𝄞".repeat(limit + 1) }), { [field]: "errors.too_big" });
  });

  it.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " \u0001\tjavascript:alert(1)",
    "java\nscript\t:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://acme.io/1",
    "acme:1",
  ])("errors.invalid: a url with a scheme that calendars do not use, such as %j", async (url) => {
    expectIssues(await send({ url }), { url: "errors.invalid" });
  });

  it("errors.too_big: location.description over 2,000 characters", async () => {
    expectEmpty(await send({ event_id: "limit-location", location: { description: "𝄞".repeat(2_000) } }), 202);
    expectIssues(await send({ location: { description: "𝄞".repeat(2_001) } }), {
      "location.description": "errors.too_big",
    });
  });

  it("errors.too_small: an empty event_id", async () => {
    expectIssues(await send({ event_id: "" }), { event_id: "errors.too_small" });
  });

  it.each(["busy", "", "Opaque", 5])("errors.invalid_value: transparency %j", async (transparency) => {
    expectIssues(await send({ transparency }), { transparency: "errors.invalid_value" });
  });

  it.each([
    "",
    "tomorrow",
    "2026-02-30",
    "2026-13-01",
    "0000-01-01",
    "10000-01-01",
    "2026-1-2",
    "20260102",
    `${DAY}T0930Z`,
    `${DAY}T09:30:00`,
    `${DAY}T24:00:00Z`,
    `${DAY}T23:59:60Z`,
    `${DAY}T09:60:00Z`,
    `${DAY}T09:30:00+25:00`,
    `${DAY}T09:30:00+020`,
    `${DAY}T09:30:00 02:00`,
    `${DAY}T09:30:00Z[u-ca=hebrew]`,
    ` ${DAY}`,
    "9999-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+01:00",
  ])("errors.invalid: %j is no date and no time with an offset", async (text) => {
    expectIssues(await send({ start: text }), { start: "errors.invalid" });
    expectIssues(await send({ end: text }), { end: "errors.invalid" });
    expectIssues(await send({ start: { time: text.replace(/00$/, "99"), tzid: "Asia/Tokyo" } }), {
      "start.time": "errors.invalid",
    });
  });

  it.each(["Mars/Olympus", "", "PST", "+02:00", "Europe/Berlin ", "Europe", "../etc/passwd", "x".repeat(500)])(
    "errors.invalid: the time zone %j does not exist",
    async (tzid) => {
      expectIssues(await send({ tzid }), { tzid: "errors.invalid" });
      expectIssues(await send({ start: { time: `${DAY}T09:00:00`, tzid } }), { "start.tzid": "errors.invalid" });
    },
  );

  it.each([
    ["end before start", { end: `${DAY}T09:29:59Z` }],
    ["end before start, by their offsets", { end: `${DAY}T10:00:00+01:00` }],
    ["end before start, by dates", { start: NEXT, end: DAY }],
    ["end a time when start is a date", { start: DAY }],
    ["end a date when start is a time", { end: NEXT }],
  ])("errors.invalid on end: %s", async (_, fields) => {
    expectIssues(await send(fields), { end: "errors.invalid" });
  });

  it.each([
    ["2026-02-30", "end is invalid: this date doesn't exist"],
    ["2026-13-01T09:30:00Z", "end is invalid: this date doesn't exist"],
    ["2026-2-1", /^end must be a date such as/],
  ])("says of %j what is wrong with it", async (end, description) => {
    const answer = await send({ end });
    expect(answer.json.errors.end[0].description).toEqual(
      typeof description === "string" ? description : expect.stringMatching(description),
    );
  });

  it("reports several mistakes together", async () => {
    const body = {
      summary: 5,
      start: "x",
      end: DAY,
      tzid: "x",
      location: { description: 5 },
      url: 5,
      transparency: "x",
    };
    expectIssues(await opened.post(atPath(opened.calendarId), body), {
      event_id: "errors.required",
      summary: "errors.invalid_type",
      start: "errors.invalid",
      tzid: "errors.invalid",
      "location.description": "errors.invalid_type",
      url: "errors.invalid_type",
      transparency: "errors.invalid_value",
    });
    expectIssues(await send({ summary: 5, end: `${DAY}T09:00:00Z` }), {
      summary: "errors.invalid_type",
      end: "errors.invalid",
    });
  });

  it("writes nothing, and leaves the event that there is as it was", async () => {
    const calendar = await openCalendar();
    await calendar.write(meeting);
    const before = await storedEvents(calendar.calendarId);
    expectIssues(await calendar.post(atPath(calendar.calendarId), { ...meeting, summary: "Other", url: 5 }), {
      url: "errors.invalid_type",
    });
    expect(await storedEvents(calendar.calendarId)).toEqual(before);
  });
});
