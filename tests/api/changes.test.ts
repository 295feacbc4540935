import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { at } from "./availability";
import { type ApiResponse, call, newApplication, type Opened, openCalendar } from "./service";

interface Change {
  id: string;
  kind: string;
  calendar_id: string;
  event_uid: string;
  event_id?: string;
  series_identifier?: string;
  occurrence_date?: string;
  fields: string[];
  by: string;
  event?: { summary: string; description: string };
}

const feed = ({ get }: Opened, query: Record<string, string | string[]> = {}): Promise<ApiResponse> =>
  get("/v1/changes", query);

/** Everything after a cursor, page by page, and the cursor behind it. */
async function rest(calendar: Opened, cursor: string, query = {}): Promise<{ changes: Change[]; cursor: string }> {
  const changes: Change[] = [];
  for (let next = cursor; ; ) {
    const { status, text, json } = await feed(calendar, { cursor: next, ...query });
    expect(status, text).toBe(200);
    changes.push(...json.changes);
    next = json.cursor;
    if (!json.has_more) return { changes, cursor: next };
  }
}

const started = async (calendar: Opened) => (await feed(calendar)).json.cursor as string;

async function play({ post }: Opened, type: string, change: object): Promise<void> {
  const answer = await post("/v1/sandbox/changes", { type, ...change });
  expect(answer.status, answer.text).toBe(202);
}

const review = { event_id: "review", summary: "Review", start: at(3, "09:00"), end: at(3, "10:00") };
const said = (changes: Change[]) => changes.map(({ kind, fields, by }) => [kind, fields.join(), by].join(" "));

describe("the feed of changes", () => {
  it("begins now, and tells own writes from those of others", async () => {
    const ada = await openCalendar();
    await ada.write(review);
    const first = await feed(ada);
    expect(first.json).toEqual({ changes: [], cursor: first.json.cursor, has_more: false });
    await ada.write({ ...review, summary: "Review of the year", start: at(3, "09:30") });
    await play(ada, "event_changed", {
      calendar_id: ada.calendarId,
      event_id: "review",
      event: {
        ...review,
        event_id: undefined,
        location: { description: "Room 4" },
        start: at(3, "11:00"),
        end: at(3, "12:00"),
        summary: "Review of the year",
      },
    });
    await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: "review" });
    const { changes, cursor } = await rest(ada, first.json.cursor);
    expect(said(changes)).toEqual([
      "updated summary,start application",
      "updated location,start,end others",
      "deleted  application",
    ]);
    expect(new Set(changes.map(({ id }) => id)).size).toBe(3);
    const list = await ada.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true", include_deleted: "true" });
    const [{ event_uid }] = list.json.events;
    expect(changes).toMatchObject(Array(3).fill({ calendar_id: ada.calendarId, event_uid, event_id: "review" }));
    expect(JSON.stringify(changes)).not.toContain("year");
    expect((await rest(ada, cursor)).changes).toEqual([]);
  });

  it("has the events as reads return them if they are asked for", async () => {
    const ada = await openCalendar();
    const cursor = await started(ada);
    await ada.write(review);
    await ada.write({ event_id: "gone", summary: "Gone", start: at(4, "09:00"), end: at(4, "10:00") });
    await ada.write({
      ...{ event_id: "daily", summary: "Daily", start: at(2, "08:00"), end: at(2, "09:00"), tzid: "Etc/UTC" },
      recurrence: { rules: [{ frequency: "daily", interval: 1, count: 3 }] },
    });
    await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: "gone" });
    const list = await ada.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
    const byUid = (uid: string) => list.json.events.find(({ event_uid }: { event_uid: string }) => event_uid === uid);
    const { changes } = await rest(ada, cursor, { include: "event" });
    expect(changes.map(({ kind, event_id, event }) => [kind, event_id, event?.summary])).toEqual([
      ["created", "review", "Review"],
      ["created", "gone", undefined],
      ["created", "daily", "Daily"],
      ["deleted", "gone", undefined],
    ]);
    for (const { event_uid, event } of changes) if (event) expect(event).toEqual(byUid(event_uid));
    const beginning = await rest(
      ada,
      (await feed(ada, { from: "beginning", limit: "1", include: "event" })).json.cursor,
    );
    expect(beginning.changes.some((change) => "event" in change)).toBe(false);
    const all = await feed(ada, { from: "beginning", include: "event" });
    expect(all.json.changes.map(({ event }: Change) => event?.summary).sort()).toEqual(["Daily", "Review"]);
  });

  it("ends a page before its events fill the memory, and goes on behind it", async () => {
    const ada = await openCalendar();
    const cursor = await started(ada);
    const description = "x".repeat(50_000);
    for (let i = 0; i < 24; i++)
      await ada.write({
        ...review,
        event_id: `long-${i}`,
        start: at(i + 1, "09:00"),
        end: at(i + 1, "10:00"),
        description,
      });
    const first = await feed(ada, { cursor, include: "event" });
    expect(first.json.has_more).toBe(true);
    expect(first.json.changes).toHaveLength(20);
    const { changes } = await rest(ada, cursor, { include: "event" });
    expect(changes.map(({ event_id }) => event_id)).toEqual(Array.from({ length: 24 }, (_, i) => `long-${i}`));
    expect(changes.every(({ event }) => event?.description === description)).toBe(true);
  });

  it("says nothing of a write that changes nothing", async () => {
    const ada = await openCalendar();
    await ada.write(review);
    const cursor = await started(ada);
    await ada.write(review);
    await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: "unknown" });
    expect((await rest(ada, cursor)).changes).toEqual([]);
  });

  it("lists what exists from the beginning, page by page, and then what changed meanwhile", async () => {
    const ada = await openCalendar();
    for (let i = 0; i < 5; i++) await ada.write({ ...review, event_id: `e${i}` });
    const first = await feed(ada, { from: "beginning", limit: "2" });
    expect(first.json.changes).toHaveLength(2);
    expect(first.json.has_more).toBe(true);
    await ada.write({ ...review, event_id: "e0", summary: "Changed" });
    await ada.write({ ...review, event_id: "e5" });
    const { changes } = await rest(ada, first.json.cursor, { limit: "2" });
    const all = [...first.json.changes, ...changes] as Change[];
    const created = all.filter(({ kind }) => kind === "created").map(({ event_id }) => event_id);
    expect(new Set(created)).toEqual(new Set(["e0", "e1", "e2", "e3", "e4", "e5"]));
    expect(all.filter(({ kind }) => kind === "updated")).toMatchObject([{ event_id: "e0", fields: ["summary"] }]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it("makes one change of a change of a series, and names the day of a single occurrence", async () => {
    const ada = await openCalendar();
    const day = at(3, "09:00").slice(0, 10);
    const weekly = {
      ...review,
      tzid: "Etc/UTC",
      recurrence: { rules: [{ frequency: "daily", interval: 1, count: 9 }] },
    };
    const cursor = await started(ada);
    await ada.write(weekly);
    await ada.post(`/v1/calendars/${ada.calendarId}/events/occurrences`, {
      event_id: "review",
      occurrence_date: day,
      summary: "Another",
    });
    await ada.remove(`/v1/calendars/${ada.calendarId}/events`, { event_id: "review", occurrence_date: day });
    await ada.write({ ...weekly, start: at(3, "10:00"), end: at(3, "11:00") });
    const { changes } = await rest(ada, cursor);
    expect(changes.map(({ kind, fields, occurrence_date }) => [kind, fields.join(), occurrence_date])).toEqual([
      ["created", "", undefined],
      ["updated", "recurrence", day],
      ["updated", "recurrence", day],
      ["updated", "start,end", undefined],
    ]);
    const { json } = await ada.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
    expect(changes[0]?.series_identifier).toBe(json.events[0].series_identifier);
  });

  it("calls replies and meeting links by their names", async () => {
    const ada = await openCalendar();
    await play(ada, "calendar_changed", {
      calendar_id: ada.calendarId,
      calendar: { calendar_integrated_conferencing_available: true },
    });
    await ada.write({
      ...review,
      attendees: { invite: [{ email: "ben@acme.io" }], remove: [] },
      notify_attendees: false,
      conferencing: { profile_id: "integrated" },
    });
    const cursor = await started(ada);
    const target = { calendar_id: ada.calendarId, event_id: "review" };
    await play(ada, "guest_replied", { ...target, email: "ben@acme.io", status: "accepted" });
    await play(ada, "meeting_link_created", target);
    const { changes } = await rest(ada, cursor);
    expect(said(changes)).toEqual(["replied attendees others", "link_added conferencing others"]);
  });

  it("returns only the changes of the calendars that are asked for, and none of other accounts", async () => {
    const application = await newApplication();
    const [ada, ben] = [await openCalendar(application), await openCalendar(application)];
    const cursor = await started(ada);
    await ben.write(review);
    await ada.write(review);
    const all = await rest(ada, cursor);
    expect(all.changes).toMatchObject([{ calendar_id: ada.calendarId }]);
    expect((await rest(ada, cursor, { "calendar_ids[]": [ben.calendarId] })).changes).toEqual([]);
    expect((await rest(ada, cursor, { "calendar_ids[]": [ada.calendarId] })).changes).toEqual(all.changes);
    const foreign = await feed(ben, { cursor });
    expect(foreign.status).toBe(422);
    expect(Object.keys(foreign.json.errors)).toEqual(["cursor"]);
  });

  it("begins again with what exists once a cursor is too old, and says so", async () => {
    const time = fakeClock();
    const ada = await openCalendar();
    await ada.write(review);
    const cursor = await started(ada);
    await ada.write({ ...review, summary: "Changed" });
    time.advance(30 * 86_400_000 - 60_000);
    const { accessToken } = await renewed(ada);
    const read = (query: string) =>
      call("GET", `/v1/changes?${query}`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect((await read(`cursor=${cursor}`)).json).toMatchObject({ changes: [{ kind: "updated" }], has_more: false });
    time.advance(120_000);
    const late = await read(`cursor=${cursor}`);
    expect(late.json).toMatchObject({ changes: [{ kind: "created", event_id: "review" }], reset: true });
    expect((await read(`cursor=${late.json.cursor}`)).json.reset).toBeUndefined();
  });

  it("names every fault of a query", async () => {
    const ada = await openCalendar();
    const answer = await feed(ada, { cursor: "x", limit: "501", from: "now", calendar_ids: "a,b" });
    expect(Object.keys(answer.json.errors).sort()).toEqual(["calendar_ids", "from", "limit"]);
    expect(Object.keys((await feed(ada, { cursor: "x" })).json.errors)).toEqual(["cursor"]);
  });
});

/** A token that is still valid after the clock went on. */
async function renewed({ application, refreshToken }: Opened): Promise<{ accessToken: string }> {
  const { clientId: client_id, clientSecret: client_secret } = application;
  const json = { client_id, client_secret, grant_type: "refresh_token", refresh_token: refreshToken };
  const answer = await call("POST", "/oauth/token", { json });
  return { accessToken: answer.json.access_token };
}
