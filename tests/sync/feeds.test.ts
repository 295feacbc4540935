import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { fakeClock } from "../fakes/clock";
import { changeSync, storedSync } from "../fakes/stored";
import { calendar, feedServer, subscriber } from "./feed-person";
import { day, ical, vevent } from "./world";

const server = feedServer();
const HOUR_MS = 3_600_000;

describe("a subscription", () => {
  it("is a read-only calendar in a profile of its own, with events, free/busy, availability and changes", async () => {
    const person = await subscriber(server(), calendar(vevent("a"), vevent("b", ["RRULE:FREQ=DAILY;COUNT=3"])));
    const before = (await person.get("/v1/changes")).json.cursor;
    await person.sync();
    expect(await person.summaries()).toEqual(["a", "b", "b", "b"]);
    const { json } = await person.get("/v1/calendars");
    const listed = json.calendars.find((one: { calendar_id: string }) => one.calendar_id === person.calendarId);
    expect(listed).toMatchObject({
      ...{ provider_name: "feed", profile_id: person.profileId, profile_name: "Team", calendar_name: "Team" },
      ...{ calendar_readonly: true, calendar_deleted: false },
    });
    expect(await person.status()).toMatchObject({ state: "connected", reason: null, pushes: "unsupported" });
    const busy = await person.get("/v1/free_busy", { tzid: "Etc/UTC", "calendar_ids[]": person.calendarId });
    expect(busy.json.free_busy).toHaveLength(4);
    const changes = (await person.get("/v1/changes", { cursor: before })).json.changes;
    expect(changes.map(({ kind, by }: { kind: string; by: string }) => [kind, by])).toEqual([
      ["created", "others"],
      ["created", "others"],
    ]);
    const asked = {
      participants: [{ members: [{ sub: person.accountId }], required: "all" }],
      required_duration: { minutes: 60 },
      query_periods: [{ start: `${day(2)}T10:00:00Z`, end: `${day(2)}T12:00:00Z` }],
    };
    const free = await person.post("/v1/availability", asked);
    expect(free.json).toMatchObject({ available_periods: [{ start: `${day(2)}T11:00:00Z` }], problems: [] });
  });

  it("takes no writes", async () => {
    const person = await subscriber(server(), calendar(vevent("a")));
    await person.sync();
    const path = `/v1/calendars/${person.calendarId}/events`;
    const event = { event_id: "x", summary: "x", start: `${day(2)}T10:00:00Z`, end: `${day(2)}T11:00:00Z` };
    expect((await person.post(path, event)).status).toBe(403);
    expect((await person.remove(path, { event_id: "x" })).status).toBe(403);
    const links = await person.post(`/v1/profiles/${person.profileId}/reconnect_links`, {});
    expect([links.status, links.json.errors.base[0].key]).toEqual([422, "errors.invalid"]);
  });

  it("follows the feed: what changes, what goes, and what comes back", async () => {
    const person = await subscriber(server(), calendar(vevent("a"), vevent("b"), vevent("c")));
    await person.sync();
    const uids = new Map((await person.events()).map(({ summary, event_uid }) => [summary, event_uid]));
    const { cursor } = (await person.get("/v1/changes")).json;
    person.put(calendar(vevent("c"), vevent("a", ["SUMMARY:a2"])));
    await person.sync();
    const after = await person.events();
    expect(after.map(({ summary, event_uid }) => [summary, event_uid]).sort()).toEqual([
      ["a2", uids.get("a")],
      ["c", uids.get("c")],
    ]);
    const { changes } = (await person.get("/v1/changes", { cursor })).json;
    expect(changes.map(({ kind, event_uid }: Record<string, string>) => `${kind} ${event_uid}`).sort()).toEqual(
      [`deleted ${uids.get("b")}`, `updated ${uids.get("a")}`].sort(),
    );
  });

  it("is read as often as it says, with etag and time, and 304 means nothing has changed", async () => {
    const person = await subscriber(server(), calendar(vevent("a")), { refreshMinutes: 240 });
    server().requests();
    await person.sync();
    await person.sync();
    const [first, second] = server().requests();
    expect([first?.status, second?.status]).toEqual([200, 304]);
    expect(first?.headers["if-none-match"]).toBeUndefined();
    expect(await person.summaries()).toEqual(["a"]);
    const { syncDueAt } = await storedSync(person.profileId);
    const inHours = ((syncDueAt?.getTime() ?? 0) - Date.now()) / HOUR_MS;
    expect(inHours).toBeGreaterThan(3.5);
    expect(inHours).toBeLessThan(4.5);
    const headers = { "last-modified": "Thu, 26 Nov 2026 10:00:00 GMT" };
    person.put({ body: calendar(vevent("b")), headers });
    await person.sync();
    await person.sync();
    expect(
      server()
        .requests()
        .map(({ status }) => status),
    ).toEqual([200, 304]);
    expect(await person.summaries()).toEqual(["b"]);
  });

  it("of webcal:// is https, and the same address again changes its name and how often it is read", async () => {
    const person = await subscriber(server(), calendar(vevent("a")), { url: "webcal://calendars.acme.io/team.ics" });
    const again = { url: "https://calendars.acme.io/team.ics#top", name: "Crew", refresh_minutes: 60 };
    await changeSync(person.profileId, { syncDueAt: new Date(Date.now() + 12 * HOUR_MS) });
    const { status, json } = await person.post("/v1/subscriptions", again);
    const { syncDueAt } = await storedSync(person.profileId);
    expect(Math.round(((syncDueAt?.getTime() ?? 0) - Date.now()) / HOUR_MS)).toBe(1);
    expect([status, json]).toEqual([201, { calendar_id: person.calendarId }]);
    const listed = await person.get("/v1/subscriptions");
    expect(listed.json.subscriptions).toEqual([
      {
        ...{ calendar_id: person.calendarId, profile_id: person.profileId, name: "Crew" },
        ...{ host: "calendars.acme.io", refresh_minutes: 60 },
      },
    ]);
    const { calendars } = (await person.get("/v1/calendars")).json;
    expect(calendars.map((one: { calendar_name: string }) => one.calendar_name)).toContain("Crew");
  });

  it("ends with everything that was read", async () => {
    const person = await subscriber(server(), calendar(vevent("a"), vevent("b", ["RRULE:FREQ=DAILY;COUNT=3"])));
    await person.sync();
    const path = `/v1/subscriptions/${person.calendarId}`;
    expect((await person.remove(path, undefined)).status).toBe(202);
    expect(await person.events()).toEqual([]);
    expect((await person.get("/v1/subscriptions")).json).toEqual({ subscriptions: [] });
    expect((await person.get("/v1/profiles")).json.profiles).toHaveLength(1);
    expect((await person.get(`/v1/profiles/${person.profileId}/status`)).status).toBe(404);
    expect((await person.remove(path, undefined)).status).toBe(404);
    expect((await person.remove(`/v1/subscriptions/${"cal_0"}`, undefined)).status).toBe(404);
  });
});

it("a subscription that ends while its feed is read leaves nothing", async () => {
  let respond: (response: ServerResponse) => void = () => {};
  const asked = new Promise<ServerResponse>((resolve) => {
    respond = resolve;
  });
  const person = await subscriber(server(), { respond: (response) => respond(response) });
  const syncing = person.sync();
  const response = await asked;
  expect((await person.remove(`/v1/subscriptions/${person.calendarId}`, undefined)).status).toBe(202);
  response.writeHead(200).end(calendar(vevent("a")));
  await syncing;
  const of = { where: { calendarId: person.calendarId } };
  const { prisma } = db();
  expect([await prisma.event.count(of), await prisma.occurrence.count(of), await prisma.eventChange.count(of)]).toEqual(
    [0, 0, 0],
  );
  expect((await person.get("/v1/profiles")).json.profiles).toHaveLength(1);
});

describe("what is odd in a feed", () => {
  it("UIDs: the highest SEQUENCE counts with all overrides, and events without a UID keep their event_uid", async () => {
    const nameless = (...lines: string[]) => vevent("x", lines).replace("UID:x\r\n", "");
    const series = ["SUMMARY:old", "SEQUENCE:1", "RRULE:FREQ=DAILY;COUNT=3"];
    const odd = calendar(
      vevent("s", ["SUMMARY:new", "SEQUENCE:2", "RRULE:FREQ=DAILY;COUNT=3"]),
      vevent("s", series),
      vevent("s", ["SUMMARY:moved", `RECURRENCE-ID:${ical(3, "100000Z")}`, `DTSTART:${ical(3, "150000Z")}`]),
      ...[nameless("SUMMARY:one"), nameless("SUMMARY:two"), nameless("SUMMARY:two")],
    );
    const person = await subscriber(server(), odd);
    await person.sync();
    expect(await person.summaries()).toEqual(["moved", "new", "new", "one", "two", "two"]);
    const uids = async () => (await person.events()).map(({ event_uid }) => event_uid).sort();
    const before = await uids();
    person.put(odd.replaceAll("DTSTAMP:20260101T000000Z", "DTSTAMP:20261101T000000Z"));
    await person.sync();
    expect(await uids()).toEqual(before);
  });

  it("zones: Windows names, names alone, and X-WR-TIMEZONE", async () => {
    const at = (uid: string, zone: string) =>
      vevent(uid, [`DTSTART${zone}:${ical(2, "100000")}`, `DTEND${zone}:${ical(2, "110000")}`]);
    const person = await subscriber(
      server(),
      calendar(
        "X-WR-TIMEZONE:Asia/Tokyo",
        at("a", ";TZID=W. Europe Standard Time"),
        at("b", ";TZID=Asia/Kolkata"),
        at("c", ""),
      ),
    );
    await person.sync();
    const winter = new Date().getMonth() > 9 || new Date().getMonth() < 2;
    expect((await person.events()).map(({ start }) => start.slice(11)).sort()).toEqual(
      ["01:00:00Z", "04:30:00Z", winter ? "09:00:00Z" : "08:00:00Z"].sort(),
    );
  });
});

describe("a feed that has gone", () => {
  it.each([404, 410])(
    "with %i keeps its events for one read, then the calendar is deleted until it comes back",
    async (status) => {
      const person = await subscriber(server(), calendar(vevent("a")));
      await person.sync();
      const isDeleted = async () => {
        const { calendars } = (await person.get("/v1/calendars")).json;
        return calendars.find((one: { calendar_id: string }) => one.calendar_id === person.calendarId).calendar_deleted;
      };
      person.put({ status });
      await person.sync();
      expect([await person.summaries(), await isDeleted()]).toEqual([["a"], false]);
      await person.sync();
      expect([await person.summaries(), await isDeleted()]).toEqual([[], true]);
      expect(await person.status()).toMatchObject({ state: "delayed", reason: "calendar_deleted" });
      person.put(calendar(vevent("a"), vevent("b")));
      await person.sync();
      expect([await person.summaries(), await isDeleted()]).toEqual([["a", "b"], false]);
      expect(await person.status()).toMatchObject({ state: "connected", reason: null });
    },
  );

  it("by being empty or cut off keeps its events for a day, is delayed, and then is believed", async () => {
    const clock = fakeClock();
    const whole = calendar(vevent("a"), vevent("b"));
    for (const [suspicious, reason, left] of [
      [calendar(), "feed_empty", []],
      [whole.slice(0, whole.indexOf("UID:b")), "feed_cut_off", ["a"]],
    ] as const) {
      const person = await subscriber(server(), whole);
      await person.sync();
      person.put(suspicious);
      await person.sync();
      await person.sync();
      expect(await person.summaries()).toEqual(["a", "b"]);
      expect(await person.status()).toMatchObject({ state: "delayed", reason });
      clock.advance(23 * HOUR_MS);
      await person.refresh();
      await person.sync();
      expect(await person.summaries()).toEqual(["a", "b"]);
      clock.advance(HOUR_MS);
      await person.refresh();
      await person.sync();
      expect([await person.summaries(), (await person.status()).state]).toEqual([left, "connected"]);
      person.put(whole);
      await person.sync();
      expect(await person.summaries()).toEqual(["a", "b"]);
    }
  });
});
