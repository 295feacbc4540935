import { describe, expect, it } from "vitest";
import { dayFromNow } from "./dates";
import { byOthers, ofUid, tagOf } from "./named-events";
import { expectEmpty, expectIssues } from "./responses";
import { type Opened, openCalendar } from "./service";
import { change, eventsOf, repeating, write } from "./written-series";

const [D1, D2, D3] = [dayFromNow(10), dayFromNow(11), dayFromNow(12)];
const meeting = {
  event_id: "meeting-1",
  summary: "Board meeting",
  description: "Figures first",
  location: { description: "Room 42" },
  url: "https://acme.io/board",
  start: `${D1}T09:30:00Z`,
  end: `${D1}T10:00:00Z`,
  attendees: { invite: [{ email: "ada@acme.io" }] },
  notify_attendees: false,
};
const series = { ...meeting, event_id: "series", tzid: "Etc/UTC", ...repeating() };
const { event_id, attendees: _, notify_attendees: __, ...content } = meeting;

async function withEvent(event: object = meeting) {
  const opened = await openCalendar();
  await write(opened, event);
  const [first] = await eventsOf(opened);
  if (!first) throw new Error("nothing was written");
  return { opened, first, uid: first.event_uid };
}

type Query = Record<string, string>;
const patch = (uid: string, opened: Opened, body: unknown, query?: Query, ifMatch?: string) =>
  ofUid("PATCH", uid, opened, { body, query, headers: ifMatch === undefined ? {} : { "if-match": ifMatch } });
const get = (uid: string, opened: Opened, query?: Query) => ofUid("GET", uid, opened, { query });

describe("a merge patch", () => {
  const patches: [string, object, object][] = [
    ["summary", { summary: "Bored meeting" }, { summary: "Bored meeting" }],
    ["description", { description: "Plans" }, { description: "Plans" }],
    ["location", { location: { description: "Garden" } }, { location: { description: "Garden" } }],
    ["url", { url: "https://acme.io/x" }, { url: "https://acme.io/x" }],
    [
      "transparency",
      { transparency: "transparent" },
      { transparency: "transparent", extended_transparency: "transparent" },
    ],
    [
      "times",
      { start: `${D2}T14:00:00Z`, end: `${D2}T15:00:00Z` },
      { start: `${D2}T14:00:00Z`, end: `${D2}T15:00:00Z` },
    ],
    ["dates", { start: D1, end: D2 }, { start: D1, end: D2 }],
    ["no description", { description: null }, { description: "" }],
  ];

  it.each(patches)("changes %s and nothing else, and is answered like GET", async (_, body, changed) => {
    const { opened, uid } = await withEvent();
    const { json: before } = await get(uid, opened);
    const response = await patch(uid, opened, body);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ ...before, ...changed, updated: expect.any(String) });
    const after = await get(uid, opened);
    expect([after.json, tagOf(after)]).toEqual([response.json, tagOf(response)]);
    const [listed] = await eventsOf(opened);
    expect(response.json).toMatchObject({ ...listed });
  });

  it.each([
    ["location", { location: null }],
    ["location", { location: { description: null } }],
    ["url", { url: null }],
  ])("removes %s by null", async (name, body) => {
    const { opened, uid } = await withEvent();
    const { json } = await patch(uid, opened, body);
    expect(json).not.toHaveProperty(name);
    expect(json.summary).toBe(meeting.summary);
  });

  it("takes null as opaque, and what has no members as no change", async () => {
    const { opened, uid } = await withEvent({ ...meeting, transparency: "transparent" });
    const before = tagOf(await get(uid, opened));
    expect(tagOf(await patch(uid, opened, {}))).toBe(before);
    expect(tagOf(await patch(uid, opened, { location: {}, unknown: 1 }))).toBe(before);
    expect((await patch(uid, opened, { transparency: null })).json).toMatchObject({ transparency: "opaque" });
  });

  it("takes back the event that GET returned, with one field changed", async () => {
    const { opened, uid } = await withEvent();
    const { json: before } = await get(uid, opened);
    const { json } = await patch(uid, opened, { ...before, summary: "Other" });
    expect(json).toEqual({ ...before, summary: "Other", updated: expect.any(String) });
  });

  it("keeps what others filled in, and a later write without it", async () => {
    const { opened, uid } = await withEvent({ ...content, event_id, description: undefined });
    await byOthers(opened, { type: "event_changed", event_id, event: { ...content, description: "Theirs" } });
    await patch(uid, opened, { summary: "Other" });
    await write(opened, { ...content, event_id, description: undefined });
    expect((await get(uid, opened)).json).toMatchObject({ summary: content.summary, description: "Theirs" });
    await patch(uid, opened, { description: "Ours" });
    await write(opened, { ...content, event_id, description: undefined });
    expect((await get(uid, opened)).json).toMatchObject({ description: "" });
  });

  it("is not notified back, and shows in free/busy at once", async () => {
    const { opened, uid } = await withEvent();
    await patch(uid, opened, { start: `${D3}T08:00:00Z`, end: `${D3}T09:00:00Z` });
    const { json } = await opened.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy).toMatchObject([{ start: `${D3}T08:00:00Z`, end: `${D3}T09:00:00Z` }]);
  });
});

describe("of a series", () => {
  it("changes the occurrence of the uid, and follows the series again where nothing differs", async () => {
    const { opened } = await withEvent(series);
    const [, second] = await eventsOf(opened);
    const uid = second?.event_uid ?? "";
    const moved = { summary: "Later", start: `${D2}T15:00:00Z`, end: `${D2}T16:00:00Z` };
    expect((await patch(uid, opened, moved)).json).toMatchObject({ ...moved, occurrence_date: D2, event_uid: uid });
    expect((await patch(uid, opened, { description: "Notes" })).json).toMatchObject({ ...moved, description: "Notes" });
    const back = { ...content, url: undefined, start: `${D2}T09:30:00Z`, end: `${D2}T10:00:00Z` };
    await patch(uid, opened, back);
    await write(opened, { ...series, summary: "Renamed" });
    const summaries = (await eventsOf(opened)).map(({ summary }) => summary);
    expect(summaries).toEqual(Array(5).fill("Renamed"));
  });

  it("changes the occurrence of occurrence_date, also beside the series_identifier", async () => {
    const { opened, first } = await withEvent(series);
    for (const uid of [first.event_uid, first.series_identifier ?? ""]) {
      const { json } = await patch(uid, opened, { summary: uid }, { occurrence_date: D3 });
      expect(json).toMatchObject({ occurrence_date: D3, summary: uid });
    }
    expect((await eventsOf(opened)).map(({ summary }) => summary === series.summary)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it("changes all occurrences with scope=all, and answers with the one of the uid", async () => {
    const { opened } = await withEvent(series);
    await change(opened, D3, { summary: "Of its own" });
    const [, second] = await eventsOf(opened);
    const body = { summary: "All", url: null, transparency: "transparent" };
    const { json } = await patch(second?.event_uid ?? "", opened, body, { scope: "all" });
    expect(json).toMatchObject({ event_uid: second?.event_uid, summary: "All", transparency: "transparent" });
    const all = await eventsOf(opened);
    expect(all.map(({ summary }) => summary)).toEqual(["All", "All", "Of its own", "All", "All"]);
  });

  it("moves all occurrences as far as the named one", async () => {
    const opened = await openCalendar();
    await write(opened, { ...series, tzid: "Europe/Berlin" });
    await change(opened, D3, { start: `${D3}T18:00:00Z`, end: `${D3}T19:00:00Z` });
    const [, second] = await eventsOf(opened);
    const to = { start: `${D2}T14:00:00Z`, end: `${D2}T15:30:00Z` };
    await patch(second?.event_uid ?? "", opened, to, { scope: "all" });
    const times = (await eventsOf(opened)).map(({ start, end }) => [start.slice(11), end.slice(11)]);
    const moved = ["14:00:00Z", "15:30:00Z"];
    expect(times).toEqual([moved, moved, ["18:00:00Z", "19:00:00Z"], moved, moved]);
  });

  it("makes all occurrences all-day with dates", async () => {
    const { opened, first } = await withEvent(series);
    await patch(first.event_uid, opened, { start: D1, end: D2 }, { scope: "all" });
    expect((await eventsOf(opened)).map(({ start }) => start)).toEqual([D1, D2, D3, dayFromNow(13), dayFromNow(14)]);
  });

  it("does not move when its own times are sent back", async () => {
    const { opened, first } = await withEvent(series);
    await change(opened, D1, { start: `${D1}T18:00:00Z`, end: `${D1}T19:00:00Z` });
    const { json } = await get(first.event_uid, opened);
    await patch(first.event_uid, opened, { ...json, summary: "All" }, { scope: "all" });
    expect((await eventsOf(opened)).map(({ start }) => start.slice(11, 16))).toEqual([
      "18:00",
      "09:30",
      "09:30",
      "09:30",
      "09:30",
    ]);
  });

  it("refuses one occurrence what only the series can have, unless it is the series' own", async () => {
    const { opened, uid } = await withEvent(series);
    const body = { url: "https://acme.io/x", transparency: "transparent", start: D1, end: D2 };
    expectIssues(await patch(uid, opened, body), {
      url: "errors.not_supported",
      transparency: "errors.not_supported",
      start: "errors.invalid",
    });
    const same = { url: meeting.url, transparency: "opaque", summary: "Other" };
    expect((await patch(uid, opened, same)).json).toMatchObject(same);
  });

  it("refuses a move that does not fit the rule", async () => {
    const day = new Date(D1).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" }).toLowerCase();
    const weekly = repeating({ frequency: "weekly", count: 4, by_day: [{ day }] });
    const { opened, uid } = await withEvent({ ...series, ...weekly });
    const to = { start: `${D2}T09:00:00Z`, end: `${D2}T10:00:00Z` };
    expectIssues(await patch(uid, opened, to, { scope: "all" }), { recurrence: "errors.invalid" });
  });

  it("wants to be told whether the series_identifier means all of it", async () => {
    const { opened, first } = await withEvent(series);
    const identifier = first.series_identifier ?? "";
    expectIssues(await patch(identifier, opened, { summary: "x" }), { occurrence_date: "errors.required" });
    expect((await patch(identifier, opened, { summary: "x" }, { scope: "all" })).json).toMatchObject({ summary: "x" });
  });
});

describe("If-Match", () => {
  it("lets a change through that names what is there, or any event", async () => {
    const { opened, uid } = await withEvent();
    const first = await patch(uid, opened, { summary: "1" }, {}, tagOf(await get(uid, opened)));
    const second = await patch(uid, opened, { summary: "2" }, {}, `"other", ${tagOf(first)}`);
    const third = await patch(uid, opened, { summary: "3" }, {}, "*");
    expect([first, second, third].map(({ status, json }) => [status, json.summary])).toEqual([
      [200, "1"],
      [200, "2"],
      [200, "3"],
    ]);
  });

  it("is 412 with the current event and its tag after a change by others, by POST or by PATCH", async () => {
    const { opened, uid } = await withEvent();
    const moved = { start: `${D1}T14:00:00Z`, end: `${D1}T15:00:00Z` };
    const changes = [
      () => byOthers(opened, { type: "event_changed", event_id, event: { ...content, ...moved } }),
      () => write(opened, { ...meeting, ...moved, summary: "Written" }),
      () => patch(uid, opened, { summary: "Patched" }),
    ];
    for (const changeIt of changes) {
      const read = await get(uid, opened);
      await changeIt();
      const response = await patch(uid, opened, { start: meeting.start, end: meeting.end }, {}, tagOf(read));
      const now = await get(uid, opened);
      expect(response.status).toBe(412);
      expect([response.json, tagOf(response)]).toEqual([now.json, tagOf(now)]);
      expect(now.json).toMatchObject(moved);
    }
  });

  it.each(['"other"', "W/{tag}", "", "other"])("is 412 for %s", async (value) => {
    const { opened, uid } = await withEvent();
    const tag = tagOf(await get(uid, opened));
    const { status } = await patch(uid, opened, { summary: "x" }, {}, value.replace("{tag}", tag));
    expect(status).toBe(412);
  });

  it("of scope=all takes the tag of the series, whichever occurrence it was read by, and no other", async () => {
    const { opened, uid } = await withEvent(series);
    const all = { scope: "all" };
    const [ofSeries, ofOccurrence] = [tagOf(await get(uid, opened, all)), tagOf(await get(uid, opened))];
    await change(opened, D3, { summary: "Other" });
    for (const tag of [ofSeries, ofOccurrence]) {
      expect((await patch(uid, opened, { summary: "1" }, all, tag)).status).toBe(412);
      const deleted = await ofUid("DELETE", uid, opened, { query: all, headers: { "if-match": tag } });
      expect(deleted.status).toBe(412);
    }
    const second = (await get(uid, opened, { occurrence_date: D2 })).json.event_uid;
    const after = await patch(uid, opened, { summary: "1" }, all, tagOf(await get(second, opened, all)));
    expect(after.status).toBe(200);
    expect((await patch(second, opened, { summary: "2" }, all, tagOf(after))).status).toBe(200);
  });

  it("lets one of 20 changes through that come at once with one tag", async () => {
    const { opened, uid } = await withEvent();
    const tag = tagOf(await get(uid, opened));
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => patch(uid, opened, { summary: `Try ${i}` }, {}, tag)),
    );
    const done = all.filter(({ status }) => status === 200);
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
    expect((await get(uid, opened)).json.summary).toBe(done[0]?.json.summary);
  });
});

describe("errors", () => {
  it("of the body come before the event", async () => {
    const opened = await openCalendar();
    const body = { summary: null, start: `${D1}T09:00:00Z`, url: "javascript:1", location: "x", transparency: "x" };
    expectIssues(await patch("evt_0", opened, body), {
      summary: "errors.invalid_type",
      end: "errors.required",
      url: "errors.invalid",
      location: "errors.invalid_type",
      transparency: "errors.invalid_value",
    });
    expectIssues(await patch("evt_0", opened, { start: D2, end: D1 }), { end: "errors.invalid" });
    expectIssues(await patch("evt_0", opened, [], { scope: "x" }), { base: "errors.invalid_json" });
    expectIssues(await patch("evt_0", opened, {}, { scope: "x", notify_attendees: "no" }), {
      scope: "errors.invalid_value",
      notify_attendees: "errors.invalid_value",
    });
  });

  it("404 for unknown events and another account's", async () => {
    const { uid } = await withEvent();
    const stranger = await openCalendar();
    for (const name of [uid, "evt_0", "\u0000"]) expectEmpty(await patch(name, stranger, { summary: "x" }), 404);
  });

  it("403 for events of others and in read-only calendars, whatever If-Match says", async () => {
    const opened = await openCalendar();
    await byOthers(opened, { type: "event_created", event: content });
    const [others] = await eventsOf(opened);
    const uid = others?.event_uid ?? "";
    const refused = await patch(uid, opened, { summary: "x" }, {}, '"old"');
    expect(refused).toMatchObject({ status: 403, json: { error: "forbidden" } });
    expect((await get(uid, opened)).json.summary).toBe(content.summary);
    const own = await withEvent();
    await byOthers(own.opened, { type: "calendar_changed", calendar: { calendar_readonly: true } });
    expect((await patch(own.uid, own.opened, { summary: "x" })).status).toBe(403);
  });

  it("later, where the sandbox is asked to refuse the write", async () => {
    const { opened, uid } = await withEvent();
    const headers = { "svc-sandbox-fault": "write_refused" };
    const { status } = await ofUid("PATCH", uid, opened, { body: { summary: "x" }, headers });
    expect([status, (await get(uid, opened)).json.summary]).toEqual([200, meeting.summary]);
  });
});

describe("DELETE", () => {
  const remove = (uid: string, opened: Opened, query?: Query, ifMatch?: string) =>
    ofUid("DELETE", uid, opened, { query, headers: ifMatch === undefined ? {} : { "if-match": ifMatch } });

  it("deletes an event, once", async () => {
    const { opened, uid } = await withEvent();
    expectEmpty(await remove(uid, opened), 202);
    expect(await eventsOf(opened)).toEqual([]);
    expectEmpty(await remove(uid, opened), 404);
  });

  it("deletes the occurrence of the uid or of occurrence_date, or all of them", async () => {
    const { opened, uid, first } = await withEvent(series);
    const days = async () => (await eventsOf(opened)).map(({ occurrence_date }) => occurrence_date);
    expectEmpty(await remove(uid, opened, { occurrence_date: D3 }), 202);
    expectEmpty(await remove(uid, opened), 202);
    expect(await days()).toEqual([D2, dayFromNow(13), dayFromNow(14)]);
    expectIssues(await remove(first.series_identifier ?? "", opened), { occurrence_date: "errors.required" });
    expectEmpty(await remove(first.series_identifier ?? "", opened, { scope: "all" }), 202);
    expect(await days()).toEqual([]);
  });

  it("is 412 with the event that others have changed, which stays", async () => {
    const { opened, uid } = await withEvent();
    const read = await get(uid, opened);
    await byOthers(opened, { type: "event_changed", event_id, event: { ...content, summary: "Theirs" } });
    const response = await remove(uid, opened, {}, tagOf(read));
    expect(response).toMatchObject({ status: 412, json: { summary: "Theirs" } });
    expectEmpty(await remove(uid, opened, {}, tagOf(response)), 202);
  });

  it("is refused for events of others", async () => {
    const opened = await openCalendar();
    await byOthers(opened, { type: "event_created", event: content });
    const [others] = await eventsOf(opened);
    expect((await remove(others?.event_uid ?? "", opened)).status).toBe(403);
    expect(await eventsOf(opened)).toHaveLength(1);
  });
});
