import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { dayFromNow } from "./dates";
import { byOthers, ofUid, tagOf } from "./named-events";
import { expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { call, type Opened, openCalendar } from "./service";
import { change, eventsOf, repeating, skip, write } from "./written-series";

const [D1, D2, D3] = [dayFromNow(10), dayFromNow(11), dayFromNow(12)];
const meeting = {
  event_id: "meeting-1",
  summary: "Board meeting",
  description: "Figures first",
  location: { description: "Room 42" },
  url: "https://acme.io/board",
  start: `${D1}T09:30:00Z`,
  end: `${D1}T10:00:00Z`,
};
const series = { ...meeting, event_id: "series", tzid: "Etc/UTC", ...repeating() };

async function withEvent(event: object = meeting) {
  const opened = await openCalendar();
  await write(opened, event);
  const [first] = await eventsOf(opened);
  if (!first) throw new Error("nothing was written");
  return { opened, first };
}

const get = (uid: string, opened: Opened, query?: Record<string, string>) => ofUid("GET", uid, opened, { query });

describe("200", () => {
  it("is the event as the list has it, with the application's rights", async () => {
    const { opened, first } = await withEvent();
    const { status, json } = await get(first.event_uid, opened);
    expect(status).toBe(200);
    expect(json).toEqual({ ...first, rights: { update: true, delete: true, reply: false } });
  });

  it("is an event of others too, without rights", async () => {
    const opened = await openCalendar();
    const { event_id: _, ...event } = meeting;
    await byOthers(opened, { type: "event_created", event });
    const [first] = await eventsOf(opened);
    const { json } = await get(first?.event_uid ?? "", opened);
    expect(json).toEqual({ ...first, rights: { update: false, delete: false, reply: false } });
  });

  it("gives no rights in a read-only calendar", async () => {
    const { opened, first } = await withEvent();
    await byOthers(opened, { type: "calendar_changed", calendar: { calendar_readonly: true } });
    const { json } = await get(first.event_uid, opened);
    expect(json.rights).toEqual({ update: false, delete: false, reply: false });
  });

  it("is the occurrence that the uid names, moved or changed as it is", async () => {
    const { opened } = await withEvent(series);
    await change(opened, D2, { start: `${D2}T15:00:00Z`, end: `${D2}T16:00:00Z`, summary: "Later" });
    for (const event of await eventsOf(opened)) {
      const { json } = await get(event.event_uid, opened);
      expect(json).toMatchObject(event);
    }
  });

  it("is the occurrence of occurrence_date, whichever occurrence of the series the uid names", async () => {
    const { opened } = await withEvent(series);
    const events = await eventsOf(opened);
    const identifier = events[0]?.series_identifier ?? "";
    for (const uid of [...events.map(({ event_uid }) => event_uid), identifier]) {
      const { json } = await get(uid, opened, { occurrence_date: D3 });
      expect(json).toMatchObject({ occurrence_date: D3, event_uid: events[2]?.event_uid });
    }
  });

  it("is the earliest occurrence for the series_identifier alone", async () => {
    const { opened, first } = await withEvent(series);
    const { json } = await get(first.series_identifier ?? "", opened);
    expect(json).toMatchObject({ ...first, recurrence: { rules: [{ frequency: "daily", count: 5 }] } });
    await skip(opened, D1);
    const { json: next } = await get(first.series_identifier ?? "", opened);
    expect(next).toMatchObject({ occurrence_date: D2 });
  });

  it("reaches occurrences past the window by occurrence_date, for which their own uids are no names yet", async () => {
    const opened = await openCalendar();
    const starts = dayFromNow(1_000);
    await write(opened, { ...series, start: `${starts}T09:30:00Z`, end: `${starts}T10:00:00Z` });
    const [row] = await db().query<{ id: string }>("SELECT id FROM events WHERE calendar_id = $1", [opened.calendarId]);
    const { json } = await get(row?.id ?? "", opened);
    expect(json).toMatchObject({ occurrence_date: starts, start: `${starts}T09:30:00Z` });
    const later = dayFromNow(1_003);
    expectEmpty(await get(json.event_uid, opened), 404);
    const { json: ofSeries } = await get(row?.id ?? "", opened, { occurrence_date: later });
    expect(ofSeries).toMatchObject({ occurrence_date: later, summary: "Board meeting" });
  });
});

describe("ETag", () => {
  const changes: [string, object][] = [
    ["summary", { summary: "Bored meeting" }],
    ["description", { description: "Plans first" }],
    ["location", { location: { description: "Garden" } }],
    ["url", { url: "https://acme.io/other" }],
    ["start", { start: `${D1}T09:00:00Z` }],
    ["end", { end: `${D1}T11:00:00Z` }],
    ["transparency", { transparency: "transparent" }],
    ["guests", { attendees: { invite: [{ email: "ada@acme.io" }] }, notify_attendees: false }],
    ["recurrence", { tzid: "Etc/UTC", ...repeating() }],
  ];

  it.each(changes)("changes with %s", async (_, changed) => {
    const { opened, first } = await withEvent();
    const before = await get(first.event_uid, opened);
    await write(opened, { ...meeting, ...changed });
    const [event] = await eventsOf(opened);
    const after = await get(event?.event_uid ?? "", opened);
    expect(tagOf(before)).toMatch(/^"[0-9a-f]{32}"$/);
    expect(tagOf(after)).not.toBe(tagOf(before));
  });

  it("changes when others change the event, and again when they change it back", async () => {
    const { opened, first } = await withEvent();
    const { event_id, ...event } = meeting;
    const tags = [tagOf(await get(first.event_uid, opened))];
    for (const summary of ["Other", meeting.summary]) {
      await byOthers(opened, { type: "event_changed", event_id, event: { ...event, summary } });
      tags.push(tagOf(await get(first.event_uid, opened)));
    }
    expect(new Set(tags).size).toBe(3);
  });

  it("stays when the same is written again, by the application or by others", async () => {
    const { opened, first } = await withEvent();
    const before = tagOf(await get(first.event_uid, opened));
    await write(opened, meeting);
    const { event_id, ...event } = meeting;
    await byOthers(opened, { type: "event_changed", event_id, event });
    expect(tagOf(await get(first.event_uid, opened))).toBe(before);
  });

  it("stays for the other occurrences when one changes, but not for scope=all", async () => {
    const { opened, first } = await withEvent(series);
    const queries: Record<string, string>[] = [{}, { scope: "all" }, { occurrence_date: D2 }];
    const tags = () => Promise.all(queries.map(async (query) => tagOf(await get(first.event_uid, opened, query))));
    const before = await tags();
    await change(opened, D2, { summary: "Other" });
    const after = await tags();
    expect(after.map((tag, i) => tag === before[i])).toEqual([true, false, false]);
  });
});

describe("304", () => {
  it("is the answer to a caller who has the event, weakly compared, until it changes", async () => {
    const { opened, first } = await withEvent();
    const tag = tagOf(await get(first.event_uid, opened));
    const conditional = (value: string) =>
      ofUid("GET", first.event_uid, opened, { headers: { "if-none-match": value } });
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await conditional(value);
      expectEmpty(response, 304);
      expect(tagOf(response)).toBe(tag);
    }
    expect((await conditional('"other"')).status).toBe(200);
    await write(opened, { ...meeting, summary: "Other" });
    expect((await conditional(tag)).status).toBe(200);
  });

  it("is not the answer in another coding: the event is never compressed", async () => {
    const { opened, first } = await withEvent({ ...meeting, description: "long ".repeat(5_000) });
    const { headers } = await ofUid("GET", first.event_uid, opened, { headers: { "accept-encoding": "gzip" } });
    expect(headers.get("content-encoding")).toBeNull();
  });
});

describe("404", () => {
  it("is the answer to an unknown uid, a deleted event, a skipped occurrence and another account's event", async () => {
    const { opened, first } = await withEvent(series);
    const stranger = await openCalendar();
    expectEmpty(await get(first.event_uid, stranger), 404);
    expectEmpty(await get(first.series_identifier ?? "", stranger), 404);
    expectEmpty(await get("evt_000000000000000000000000", opened), 404);
    expectEmpty(await get("\u0000", opened), 404);
    await skip(opened, D1);
    expectEmpty(await get(first.event_uid, opened), 404);
    await opened.remove(`/v1/calendars/${opened.calendarId}/events`, { event_id: "series" });
    expectEmpty(await get(first.series_identifier ?? "", opened), 404);
  });

  it("is the answer in a deleted calendar", async () => {
    const { opened, first } = await withEvent();
    await byOthers(opened, { type: "calendar_deleted" });
    expectEmpty(await get(first.event_uid, opened), 404);
  });
});

describe("422", () => {
  it("names what is wrong with the query, before the event is looked for", async () => {
    const { opened } = await withEvent();
    expectIssues(await get("evt_0", opened, { occurrence_date: "2026-02-30", scope: "some" }), {
      occurrence_date: "errors.invalid",
      scope: "errors.invalid_value",
    });
  });

  it("is the answer to an occurrence_date that the event does not have", async () => {
    const { opened, first } = await withEvent();
    expectIssues(await get(first.event_uid, opened, { occurrence_date: D1 }), {
      occurrence_date: "errors.not_recurring",
    });
    const { opened: other, first: recurring } = await withEvent(series);
    await skip(other, D2);
    for (const occurrence_date of [dayFromNow(9), dayFromNow(20), D2])
      expectIssues(await get(recurring.event_uid, other, { occurrence_date }), {
        occurrence_date: "errors.not_an_occurrence",
      });
  });
});

it("needs an access token", async () => {
  expectSignedOut(await call("GET", "/v1/events/evt_0"), "invalid_request");
});
