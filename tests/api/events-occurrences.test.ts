import { describe, expect, it } from "vitest";
import { connectedWithTokens, withToken } from "./grants";
import { opened } from "./read-under-test";
import { expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";
import { storedRows } from "./stored-rows";
import {
  change,
  daily,
  daysOf,
  eventsOf,
  eventsPath,
  type ReadEvent,
  repeating,
  sendChange,
  skip,
  timesOf,
  write,
} from "./written-series";

const [D1, D2, D3] = ["2025-12-01", "2025-12-02", "2025-12-03"] as const;
const series = {
  ...daily,
  description: "Every day",
  location: { description: "Room 1" },
  ...repeating({ frequency: "daily", count: 3 }),
};
const noon = { start: `${D2}T12:00:00Z`, end: `${D2}T13:00:00Z` };
const plain = { summary: "Stand-up", description: "Every day", location: { description: "Room 1" } };

async function withSeries() {
  const calendar = await opened();
  await write(calendar, series);
  return calendar;
}

const second = (events: ReadEvent[]) => events.find(({ occurrence_date }) => occurrence_date === D2);

describe("POST /v1/calendars/{calendar_id}/events/occurrences", () => {
  it("takes null as though it were omitted: a field that is null is the series' own", async () => {
    const calendar = await withSeries();
    await change(calendar, D2, { ...noon, summary: "Other", description: "Other" });
    const unset = { start: null, end: null, tzid: null, description: null, location: null, notify_attendees: null };
    await change(calendar, D2, { ...unset, summary: "Once more" });
    const [before, changed] = await eventsOf(calendar);
    const own = { description: before?.description, start: before?.start.replace(D1, D2) };
    expect(changed).toMatchObject({ ...own, occurrence_date: D2, summary: "Once more" });
  });

  it("answers 202 with an empty body, and changes that occurrence in both reads at once", async () => {
    const calendar = await withSeries();
    const before = await eventsOf(calendar);
    const fields = { ...noon, summary: "Other", description: "Once", location: { description: "Room 2" } };
    expectEmpty(await sendChange(calendar, { occurrence_date: D2, ...fields }), 202);
    const after = await eventsOf(calendar);
    expect(second(after)).toEqual({ ...second(before), ...fields, updated: second(after)?.updated });
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    const { json } = await calendar.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy[1]).toMatchObject(noon);
  });

  it.each([
    ["the new time", noon],
    ["summary", { summary: "Other" }],
    ["description", { description: "Once" }],
    ["location", { location: { description: "Room 2" } }],
    ["an empty description", { description: "" }],
    ["an empty location", { location: { description: "" } }],
  ])("takes %s alone: what is left out is the series' own", async (_, fields) => {
    const calendar = await withSeries();
    await change(calendar, D2, fields);
    expect(second(await eventsOf(calendar))).toMatchObject({
      start: `${D2}T08:00:00Z`,
      end: `${D2}T08:30:00Z`,
      ...plain,
      ...fields,
    });
  });

  it("replaces an earlier change of the same occurrence: a field left out is the series' own again", async () => {
    const calendar = await withSeries();
    await change(calendar, D2, { ...noon, summary: "Other", location: { description: "Room 2" } });
    await change(calendar, D2, { description: "Once" });
    expect(second(await eventsOf(calendar))).toMatchObject({
      ...plain,
      description: "Once",
      start: `${D2}T08:00:00Z`,
      end: `${D2}T08:30:00Z`,
    });
  });

  it("replaces a change that came with the series", async () => {
    const calendar = await opened();
    const changed = { date: D2, summary: "Other", ...noon };
    await write(calendar, { ...series, ...repeating({ frequency: "daily", count: 3 }, { change: [changed] }) });
    await change(calendar, D2, { summary: "Third" });
    expect(second(await eventsOf(calendar))).toMatchObject({ summary: "Third", start: `${D2}T08:00:00Z` });
  });

  it("follows the series in what it does not change", async () => {
    const calendar = await withSeries();
    await change(calendar, D2, { summary: "Other" });
    const later = { start: `${D1}T12:00:00Z`, end: `${D1}T13:00:00Z`, description: "New" };
    await write(calendar, { ...series, ...later, recurrence: undefined });
    expect(second(await eventsOf(calendar))).toMatchObject({ summary: "Other", description: "New", ...noon });
  });

  it("brings a skipped occurrence back with its own changes, as the same event", async () => {
    const calendar = await withSeries();
    const uid = second(await eventsOf(calendar))?.event_uid;
    await skip(calendar, D2);
    expect(await daysOf(calendar)).toEqual([D1, D3]);
    await change(calendar, D2, { summary: "Back" });
    expect(second(await eventsOf(calendar))).toMatchObject({ summary: "Back", event_uid: uid, deleted: false });
  });

  it("does not remember the change of before the skipping", async () => {
    const calendar = await withSeries();
    await change(calendar, D2, noon);
    await skip(calendar, D2);
    await change(calendar, D2, { description: "Back" });
    expect(second(await eventsOf(calendar))).toMatchObject({ start: `${D2}T08:00:00Z`, description: "Back" });
  });

  it.each([
    ["times with offsets", { start: `${D2}T14:00:00+02:00`, end: `${D2}T08:00:00-05:00` }],
    [
      "objects",
      {
        start: { time: `${D2}T13:00:00`, tzid: "Europe/Berlin" },
        end: { time: `${D2}T08:00:00`, tzid: "America/New_York" },
      },
    ],
    [
      "a string and an object, and a tzid",
      { start: noon.start, end: { time: noon.end, tzid: "Asia/Tokyo" }, tzid: "Asia/Tokyo" },
    ],
  ])("takes start and end as %s", async (_, times) => {
    const calendar = await withSeries();
    await change(calendar, D2, times);
    expect(second(await eventsOf(calendar))).toMatchObject(noon);
  });

  it.each([
    ["the series' own", undefined, "2025-12-02T12:00:00Z"],
    ["that of tzid", "America/New_York", "2025-12-02T18:00:00Z"],
  ])("takes a local time without a zone beside it as one of %s", async (_, tzid, start) => {
    const calendar = await withSeries();
    await change(calendar, D2, { start: { time: `${D2}T13:00:00` }, end: { time: `${D2}T14:00:00` }, tzid });
    const end = new Date(Date.parse(start) + 3_600_000).toISOString().replace(".000", "");
    expect(second(await eventsOf(calendar))).toMatchObject({ start, end });
    const reversed = { start: { time: `${D2}T14:00:00` }, end: { time: `${D2}T13:00:00` }, tzid };
    expectIssues(await sendChange(calendar, { occurrence_date: D2, ...reversed }), { end: "errors.invalid" });
  });

  it("takes dates in an all-day series", async () => {
    const calendar = await opened();
    await write(calendar, { ...series, start: D1, end: D2 });
    await change(calendar, D2, { start: "2025-12-10", end: "2025-12-12" });
    expect(await timesOf(calendar)).toContainEqual([D2, "2025-12-10", "2025-12-12"]);
  });

  it("names the occurrence by its original day in the event's time zone, also after it was moved", async () => {
    const calendar = await opened();
    const late = { start: `${D1}T23:30:00-05:00`, end: `${D2}T00:30:00-05:00`, tzid: "America/New_York" };
    await write(calendar, { ...series, ...late });
    await change(calendar, D1, { start: `${D3}T10:00:00Z`, end: `${D3}T11:00:00Z` });
    await change(calendar, D1, { summary: "The first" });
    expect((await eventsOf(calendar))[0]).toMatchObject({
      occurrence_date: D1,
      start: `${D2}T04:30:00Z`,
      summary: "The first",
    });
  });

  it("takes texts up to their limits, and ignores fields the API does not have", async () => {
    const calendar = await withSeries();
    const fields = {
      summary: "𝄞".repeat(2_000),
      description: "𝄞".repeat(50_000),
      location: { description: "𝄞".repeat(2_000) },
    };
    await change(calendar, D2, { ...fields, url: 5, transparency: "x", attendees: [], recurrence: 5 });
    expect(second(await eventsOf(calendar))).toMatchObject(fields);
  });

  it("leaves one of the changes whole, of 10 at once", async () => {
    const calendar = await withSeries();
    const bodies = Array.from({ length: 10 }, (_, i) => ({ summary: `Summary ${i}`, description: `Summary ${i}` }));
    const answers = await Promise.all(bodies.map((body) => sendChange(calendar, { occurrence_date: D2, ...body })));
    for (const answer of answers) expectEmpty(answer, 202);
    const event = second(await eventsOf(calendar));
    expect(bodies.map(({ summary }) => summary)).toContain(event?.summary);
    expect(event?.description).toBe(event?.summary);
  });

  it("keeps changes of different days, made at once", async () => {
    const calendar = await withSeries();
    await Promise.all([D1, D2, D3].map((day) => change(calendar, day, { summary: day })));
    expect((await eventsOf(calendar)).map(({ summary }) => summary)).toEqual([D1, D2, D3]);
  });
});

describe("its refusals", () => {
  it("401 comes before the body is looked at", async () => {
    const path = `${eventsPath((await openCalendar()).calendarId)}/occurrences`;
    expectSignedOut(await call("POST", path, { json: {} }), "invalid_request");
    expectSignedOut(await withToken("POST", path, "at_unknown", {}), "invalid_token");
  });

  it("403 on a read-only calendar; a malformed body answers with its mistake first", async () => {
    const { accessToken, calendarIds } = await connectedWithTokens(await newApplication());
    const path = `${eventsPath(calendarIds.readonly)}/occurrences`;
    const body = { event_id: "series", occurrence_date: D2, summary: "Other" };
    expectEmpty(await withToken("POST", path, accessToken, body), 403);
    expectIssues(await withToken("POST", path, accessToken, { ...body, summary: 5 }), {
      summary: "errors.invalid_type",
    });
  });

  it("404 for an event_id the application has not written to the calendar, and for one it has deleted", async () => {
    const calendar = await withSeries();
    const other = await opened(undefined, calendar.application);
    expectEmpty(await sendChange(calendar, { event_id: "unknown", occurrence_date: D2, ...noon }), 404);
    expectEmpty(await sendChange(other, { occurrence_date: D2, ...noon }), 404);
    await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
    expectEmpty(await sendChange(calendar, { occurrence_date: D2, ...noon }), 404);
  });

  it("404 for a calendar the account lacks, once the body is without mistakes", async () => {
    const [mine, stranger] = [await withSeries(), await withSeries()];
    const body = { event_id: "series", occurrence_date: D2, ...noon };
    for (const id of ["cal_unknown", "%00", stranger.calendarId]) {
      expectEmpty(await mine.post(`${eventsPath(id)}/occurrences`, body), 404);
      expectIssues(await mine.post(`${eventsPath(id)}/occurrences`, { ...body, event_id: 5 }), {
        event_id: "errors.invalid_type",
      });
    }
    expect(second(await eventsOf(stranger))).toMatchObject(plain);
  });

  it.each<[string, object, Record<string, string>]>([
    ["event_id is missing", { event_id: undefined }, { event_id: "errors.required" }],
    ["event_id is empty", { event_id: "" }, { event_id: "errors.too_small" }],
    ["event_id over 512 characters", { event_id: "x".repeat(513) }, { event_id: "errors.too_big" }],
    ["occurrence_date is missing", { occurrence_date: undefined }, { occurrence_date: "errors.required" }],
    ["occurrence_date is no date", { occurrence_date: "2025-02-30" }, { occurrence_date: "errors.invalid" }],
    ["occurrence_date is a time", { occurrence_date: noon.start }, { occurrence_date: "errors.invalid" }],
    ["occurrence_date is a number", { occurrence_date: 5 }, { occurrence_date: "errors.invalid_type" }],
    ["start without end", { end: undefined }, { end: "errors.required" }],
    ["end without start", { start: undefined }, { start: "errors.required" }],
    ["start is no time", { start: "soon" }, { start: "errors.invalid" }],
    ["end is no time", { end: `${D2}T12:00:00` }, { end: "errors.invalid" }],
    [
      "start is no time, and end is missing",
      { start: "soon", end: undefined },
      { start: "errors.invalid", end: "errors.required" },
    ],
    ["start is a number", { start: 5 }, { start: "errors.invalid_type" }],
    ["start has a tzid and no time", { start: { tzid: "Asia/Tokyo" } }, { "start.time": "errors.required" }],
    ["end before start", { end: `${D2}T11:59:59Z` }, { end: "errors.invalid" }],
    ["end a date when start is a time", { end: D3 }, { end: "errors.invalid" }],
    ["dates in a timed series", { start: D2, end: D3 }, { start: "errors.invalid" }],
    ["tzid is unknown", { tzid: "Mars/Olympus" }, { tzid: "errors.invalid" }],
    ["summary over 2,000 characters", { summary: "𝄞".repeat(2_001) }, { summary: "errors.too_big" }],
    ["description over 50,000", { description: "𝄞".repeat(50_001) }, { description: "errors.too_big" }],
    [
      "location.description over 2,000",
      { location: { description: "𝄞".repeat(2_001) } },
      { "location.description": "errors.too_big" },
    ],
    [
      "texts are no strings",
      { summary: ["x"], description: 5, location: "x" },
      { summary: "errors.invalid_type", description: "errors.invalid_type", location: "errors.invalid_type" },
    ],
    ["notify_attendees is no boolean", { notify_attendees: "no" }, { notify_attendees: "errors.invalid_type" }],
    [
      "everything is null",
      { start: null, end: null, summary: null, description: null, location: null, tzid: null },
      { base: "errors.required" },
    ],
    ["a start beside null", { end: null }, { end: "errors.required" }],
    ["occurrence_date is null", { occurrence_date: null }, { occurrence_date: "errors.invalid_type" }],
    ["nothing would be changed", { start: undefined, end: undefined }, { base: "errors.required" }],
    ["a location that says nothing", { start: undefined, end: undefined, location: {} }, { base: "errors.required" }],
    ["a tzid alone", { start: undefined, end: undefined, tzid: "Asia/Tokyo" }, { base: "errors.required" }],
    [
      "several mistakes at once",
      { event_id: undefined, occurrence_date: "x", end: undefined, summary: 5 },
      {
        event_id: "errors.required",
        occurrence_date: "errors.invalid",
        end: "errors.required",
        summary: "errors.invalid_type",
      },
    ],
  ])("422 and nothing is written: %s", async (_, fields, mistakes) => {
    const calendar = await withSeries();
    const before = await storedRows(calendar.application);
    expectIssues(await sendChange(calendar, { occurrence_date: D2, ...noon, ...fields }), mistakes);
    expect(await storedRows(calendar.application)).toEqual(before);
  });

  it("422: a time in an all-day series", async () => {
    const calendar = await opened();
    await write(calendar, { ...series, start: D1, end: D2 });
    expectIssues(await sendChange(calendar, { occurrence_date: D2, ...noon }), { start: "errors.invalid" });
  });

  it("422 on base: the body is not a JSON object", async () => {
    const { post, calendarId } = await withSeries();
    for (const body of [[], "x", null]) {
      expectIssues(await post(`${eventsPath(calendarId)}/occurrences`, body), { base: "errors.invalid_json" });
    }
  });

  it("422 errors.not_recurring and errors.not_an_occurrence on occurrence_date", async () => {
    const calendar = await withSeries();
    await write(calendar, { ...daily, event_id: "single" });
    expectIssues(await sendChange(calendar, { event_id: "single", occurrence_date: D1, ...noon }), {
      occurrence_date: "errors.not_recurring",
    });
    for (const occurrence_date of ["2025-11-30", "2025-12-04", "9999-12-31", "0001-01-01"]) {
      expectIssues(await sendChange(calendar, { occurrence_date, ...noon }), {
        occurrence_date: "errors.not_an_occurrence",
      });
    }
  });
});

describe("DELETE /v1/calendars/{calendar_id}/events with occurrence_date", () => {
  it("cancels only that occurrence, in both reads", async () => {
    const calendar = await withSeries();
    const before = await eventsOf(calendar);
    await skip(calendar, D2);
    expect(await eventsOf(calendar)).toEqual([before[0], before[2]]);
    const { json } = await calendar.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy).toHaveLength(2);
    expect(second(await eventsOf(calendar, { include_deleted: "true" }))).toMatchObject({ deleted: true });
  });

  it("succeeds also for an already skipped day, which changes nothing", async () => {
    const calendar = await withSeries();
    await skip(calendar, D2);
    const before = await storedRows(calendar.application);
    await skip(calendar, D2);
    expect(await storedRows(calendar.application)).toEqual(before);
  });

  it("cancels a changed occurrence, by its original day", async () => {
    const calendar = await withSeries();
    await change(calendar, D2, { start: `${D3}T20:00:00Z`, end: `${D3}T21:00:00Z` });
    await skip(calendar, D2);
    expect(await daysOf(calendar)).toEqual([D1, D3]);
  });

  it("may cancel every day; the series is still there and can be restored", async () => {
    const calendar = await withSeries();
    for (const day of [D1, D2, D3]) await skip(calendar, day);
    expect(await eventsOf(calendar)).toEqual([]);
    const deleted = await eventsOf(calendar, { include_deleted: "true" });
    expect(deleted).toHaveLength(3);
    for (const { series_master } of deleted) {
      expect(series_master).toEqual({ event_id: "series", event_uid: deleted[0]?.event_uid });
    }
    await change(calendar, D3, { summary: "Back" });
    expect(await eventsOf(calendar)).toMatchObject([
      { occurrence_date: D3, summary: "Back", recurrence: { rules: [{ frequency: "daily", count: 3 }] } },
    ]);
  });

  it("is 202 when there is no such event", async () => {
    const calendar = await withSeries();
    const body = { event_id: "unknown", occurrence_date: D2 };
    expectEmpty(await calendar.remove(eventsPath(calendar.calendarId), body), 202);
    expect(await daysOf(calendar)).toEqual([D1, D2, D3]);
  });

  it("skips every one of several days, at once", async () => {
    const calendar = await withSeries();
    await Promise.all([D1, D3].map((day) => skip(calendar, day)));
    expect(await daysOf(calendar)).toEqual([D2]);
  });

  it("without occurrence_date deletes a repeating event with all occurrences", async () => {
    const calendar = await withSeries();
    await change(calendar, D2, noon);
    expectEmpty(await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" }), 202);
    expect(await eventsOf(calendar)).toEqual([]);
    const { json } = await calendar.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy).toEqual([]);
  });
});
