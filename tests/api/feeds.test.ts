import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { MAX_FEEDS } from "@/server/domain/feeds";
import { fakeClock } from "../fakes/clock";
import { readByIcalJs } from "../fakes/feed-readers/feed-readers";
import { dayFromNow } from "./dates";
import { linesOf, openFeed, readFeed } from "./feeds";
import { applicationId, revoke, withToken } from "./grants";
import { call, newApplication, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

const standUp = (day = 3) => ({
  ...{ event_id: `stand-up-${day}`, summary: "Stand-up; with Ada, Ben\\Co", description: "First line\nSecond" },
  ...{ start: `${dayFromNow(day)}T09:30:00Z`, end: `${dayFromNow(day)}T10:00:00Z`, tzid: "Europe/Paris" },
  ...{ location: { description: "Room 5" }, url: "https://acme.io/stand-up" },
});

describe("POST /v1/calendars/{calendar_id}/feeds", () => {
  it("201: gives an address once, and stores no more than the digest of its secret", async () => {
    const opened = await openCalendar();
    const path = `/v1/calendars/${opened.calendarId}/feeds`;
    const created = await opened.post(path, { detail: "titles", days_back: 7 });
    expect(created.status).toBe(201);
    const { url, ...shown } = created.json;
    expect(url).toMatch(/\/feeds\/[\w-]{43}\.ics$/);
    expect(created.headers.get("location")).toBe(`${path}/${shown.feed_id}`);
    expect(created.headers.get("cache-control")).toBe("no-store");
    expect(shown).toMatchObject({ detail: "titles", days_back: 7, days_ahead: 201, last_read_at: null });
    expect((await opened.get(path)).json).toEqual({ feeds: [shown] });
    const secret = /feeds\/([\w-]+)\.ics/.exec(url)?.[1] ?? "none";
    expect(JSON.stringify(await storedRows(opened.application))).not.toContain(secret);
  });

  it("422: names each mistake of the body, and that before the calendar is looked for", async () => {
    const opened = await openCalendar();
    for (const calendar of [opened.calendarId, "cal_unknown"]) {
      const { status, json } = await opened.post(`/v1/calendars/${calendar}/feeds`, {
        ...{ detail: "all", days_back: 43, days_ahead: 0 },
      });
      expect(status).toBe(422);
      expect(keysOf(json)).toEqual({
        ...{ detail: ["errors.invalid_value"], days_back: ["errors.too_big"], days_ahead: ["errors.too_small"] },
      });
    }
    expect(keysOf((await opened.post(`/v1/calendars/${opened.calendarId}/feeds`, {})).json)).toEqual({
      detail: ["errors.required"],
    });
  });

  it("404: has no calendar of another account, and none that is deleted", async () => {
    const [ada, ben] = [await openCalendar(), await openCalendar()];
    const feed = await openFeed(ben, { detail: "busy" });
    const path = `/v1/calendars/${ben.calendarId}/feeds`;
    expect((await ada.post(path, { detail: "busy" })).status).toBe(404);
    expect((await ada.get(path)).status).toBe(404);
    expect((await withToken("DELETE", `${path}/${feed.id}`, ada.accessToken)).status).toBe(404);
    expect((await readFeed(feed)).status).toBe(200);
    await db().prisma.calendar.update({ where: { id: ben.calendarId }, data: { deleted: true } });
    expect((await ben.post(path, { detail: "busy" })).status).toBe(404);
    expect((await ben.get(path)).status).toBe(404);
    expect((await ben.post("/v1/calendars/%00/feeds", { detail: "busy" })).status).toBe(404);
  });

  it("422: has no more feeds than a calendar may have, however many are created at once", async () => {
    const opened = await openCalendar();
    const answers = await Promise.all(
      Array.from({ length: MAX_FEEDS + 5 }, () =>
        opened.post(`/v1/calendars/${opened.calendarId}/feeds`, { detail: "busy" }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_FEEDS);
    const refused = answers.find(({ status }) => status !== 201);
    expect(keysOf(refused?.json)).toEqual({ base: ["errors.invalid"] });
  });
});

describe("GET /feeds/{token}.ics", () => {
  it("200: is an iCalendar object with an event for each occurrence", async () => {
    const opened = await openCalendar();
    await opened.write(standUp());
    const feed = await openFeed(opened, { detail: "full" });
    const { status, headers, text } = await readFeed(feed);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(headers.get("cache-control")).toContain("private");
    expect(headers.get("etag")).toMatch(/^"[0-9a-f]{32}"$/);
    expect(Date.parse(headers.get("last-modified") ?? "")).toBeLessThanOrEqual(Date.now());
    const lines = linesOf(text);
    const day = dayFromNow(3).replaceAll("-", "");
    for (const line of [
      ...["METHOD:PUBLISH", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H", "TZID:Europe/Paris"],
      ...["SUMMARY:Stand-up\\; with Ada\\, Ben\\\\Co", "DESCRIPTION:First line\\nSecond", "LOCATION:Room 5"],
      ...["URL:https://acme.io/stand-up", "TRANSP:OPAQUE", "STATUS:CONFIRMED"],
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.some((line) => line.startsWith(`DTSTART;TZID=Europe/Paris:${day}T1`))).toBe(true);
    expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const path = `/v1/calendars/${opened.calendarId}/feeds`;
    expect((await opened.get(path)).json.feeds).toMatchObject([{ last_read_at: expect.any(String) }]);
  });

  it("keeps UIDs, and those of two feeds have nothing in common", async () => {
    const opened = await openCalendar();
    await opened.write(standUp());
    const feeds = [await openFeed(opened, { detail: "busy" }), await openFeed(opened, { detail: "full" })];
    const uids = async () => {
      const texts = await Promise.all(feeds.map((feed) => readFeed(feed)));
      return texts.flatMap(({ text }) => readByIcalJs(text).map(({ uid }) => uid));
    };
    const before = await uids();
    expect(new Set(before).size).toBe(2);
    await opened.write({ ...standUp(), start: `${dayFromNow(4)}T09:30:00Z`, end: `${dayFromNow(4)}T10:00:00Z` });
    expect(await uids()).toEqual(before);
  });

  it("shows whole days of the window that was asked for, and all-day events as dates", async () => {
    const opened = await openCalendar();
    for (const day of [-3, -2, 0, 5, 6]) await opened.write(standUp(day));
    await opened.write({ event_id: "trip", summary: "Trip", start: dayFromNow(4), end: dayFromNow(6) });
    const { text } = await readFeed(await openFeed(opened, { detail: "titles", days_back: 2, days_ahead: 5 }));
    expect(readByIcalJs(text).map(({ start, end }) => [start.slice(0, 10), end.slice(0, 10)])).toEqual([
      ...[-2, 0].map((day) => [dayFromNow(day), dayFromNow(day)]),
      [dayFromNow(4), dayFromNow(6)],
      [dayFromNow(5), dayFromNow(5)],
    ]);
    expect(linesOf(text)).toContain(`DTSTART;VALUE=DATE:${dayFromNow(4).replaceAll("-", "")}`);
  });

  it("304: to a reader who has this version, by tag or by time, until something changes", async () => {
    const time = fakeClock();
    const opened = await openCalendar();
    await opened.write(standUp());
    const feed = await openFeed(opened, { detail: "full" });
    time.advance(5_000);
    const first = await readFeed(feed);
    const tag = { "if-none-match": first.headers.get("etag") ?? "" };
    const since = { "if-modified-since": first.headers.get("last-modified") ?? "" };
    for (const headers of [tag, since, { "if-none-match": `"other", W/${tag["if-none-match"]}` }]) {
      for (const method of ["GET", "HEAD"]) {
        const known = await readFeed(feed, { method, headers });
        expect([known.status, known.text]).toEqual([304, ""]);
        expect(known.headers.get("etag")).toBe(tag["if-none-match"]);
      }
    }
    expect((await readFeed(feed, { headers: { ...since, "if-none-match": '"other"' } })).status).toBe(200);
    await opened.write({ ...standUp(), summary: "Moved" });
    // The database's clock is not this one.
    await db().query("UPDATE calendars SET changed_at = changed_at + interval '5 seconds' WHERE id = $1", [
      opened.calendarId,
    ]);
    time.advance(5_000);
    expect((await readFeed(feed, { headers: tag })).text).toContain("SUMMARY:Moved");
    const again = await readFeed(feed, { headers: since });
    expect(again.status).toBe(200);
    // A day later other days are shown.
    time.advance(86_400_000);
    expect((await readFeed(feed, { headers: { "if-none-match": again.headers.get("etag") ?? "" } })).status).toBe(200);
  });

  it("answers HEAD as GET, without a body, and no other method", async () => {
    const opened = await openCalendar();
    await opened.write(standUp());
    const feed = await openFeed(opened, { detail: "busy" });
    const [get, head] = [await readFeed(feed), await readFeed(feed, { method: "HEAD" })];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "last-modified", "content-type", "cache-control"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    const posted = await readFeed(feed, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("429: to more than 60 reads of a feed, which leave other feeds alone", async () => {
    const time = fakeClock();
    const opened = await openCalendar();
    const [feed, other] = [await openFeed(opened, { detail: "busy" }), await openFeed(opened, { detail: "busy" })];
    for (let read = 0; read < 60; read += 1) expect((await readFeed(feed)).status).toBe(200);
    const refused = await readFeed(feed);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await readFeed(other)).status).toBe(200);
    time.advance(1_000);
    expect((await readFeed(feed)).status).toBe(200);
  });

  it("404: once the feed has ended, its calendar is deleted or the account's access was revoked", async () => {
    const opened = await openCalendar();
    const [ended, kept] = [await openFeed(opened, { detail: "busy" }), await openFeed(opened, { detail: "busy" })];
    const path = `/v1/calendars/${opened.calendarId}/feeds/${ended.id}`;
    expect((await withToken("DELETE", path, opened.accessToken)).status).toBe(202);
    expect((await withToken("DELETE", path, opened.accessToken)).status).toBe(404);
    expect((await readFeed(ended)).status).toBe(404);
    const where = { where: { id: opened.calendarId } };
    await db().prisma.calendar.update({ ...where, data: { deleted: true } });
    expect((await readFeed(kept)).status).toBe(404);
    await db().prisma.calendar.update({ ...where, data: { deleted: false } });
    expect((await readFeed(kept)).status).toBe(200);
    await revoke(opened.application, opened.refreshToken);
    expect((await readFeed(kept)).status).toBe(404);
    for (const wrong of ["none.ics", `${"a".repeat(43)}.ics`, `${"a".repeat(43)}`, "%00.ics"]) {
      expect((await call("GET", `/feeds/${wrong}`)).status).toBe(404);
    }
  });

  it("503: while what is stored is not what is in the calendar, or the application is disabled", async () => {
    const application = await newApplication();
    const opened = await openCalendar(application);
    const feed = await openFeed(opened, { detail: "busy" });
    const profile = (data: object) => db().prisma.profile.update({ where: { id: opened.profileId }, data });
    const state = async () => {
      const { status, headers, text } = await readFeed(feed);
      return [status, headers.get("retry-after"), text];
    };
    await profile({ connected: false });
    expect(await state()).toEqual([503, "3600", ""]);
    await profile({ connected: true, initialSyncRequired: true });
    expect(await state()).toEqual([503, "60", ""]);
    await profile({ initialSyncRequired: false });
    const id = await applicationId(application);
    await db().prisma.application.update({ where: { id }, data: { disabledAt: new Date() } });
    expect(await state()).toEqual([503, "3600", ""]);
    await db().prisma.application.update({ where: { id }, data: { disabledAt: null } });
    expect((await state())[0]).toBe(200);
  });
});

describe("in the sandbox", () => {
  it("a feed follows what happens to the calendar and its profile", async () => {
    const opened = await openCalendar();
    const feed = await openFeed(opened, { detail: "titles" });
    const { calendarId: calendar_id, profileId: profile_id } = opened;
    const theirs = { summary: "Theirs", start: dayFromNow(1), end: dayFromNow(2) };
    const happened: [object, number][] = [
      [{ type: "event_created", calendar_id, event: theirs }, 200],
      [{ type: "profile_disconnected", profile_id }, 503],
      [{ type: "profile_reconnected", profile_id }, 200],
      [{ type: "calendar_deleted", calendar_id }, 404],
      [{ type: "calendar_restored", calendar_id }, 200],
    ];
    for (const [change, expected] of happened) {
      const { status, text } = await opened.post("/v1/sandbox/changes", change);
      expect([change, status], text).toEqual([change, 202]);
      expect([change, (await readFeed(feed)).status]).toEqual([change, expected]);
    }
  });
});

function keysOf(body: { errors: Record<string, { key: string }[]> } | undefined): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(body?.errors ?? {}).map(([field, found]) => [field, found.map(({ key }) => key)]),
  );
}
