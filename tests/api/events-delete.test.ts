import { describe, expect, it } from "vitest";
import { eventChangedAt } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { connectedWithTokens, withToken } from "./grants";
import { expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { call, newApplication, type Opened, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

const DAY = dayFromNow(10);
const meeting = {
  event_id: "meeting-1",
  summary: "Board meeting",
  start: `${DAY}T09:30:00Z`,
  end: `${DAY}T10:00:00Z`,
};
const atPath = (calendarId: string) => `/v1/calendars/${calendarId}/events`;

async function calendarWithMeeting() {
  const opened = await openCalendar();
  await opened.write(meeting);
  return opened;
}

async function eventsOf({ get }: Opened, more: Record<string, string> = {}) {
  const { status, json } = await get("/v1/events", { tzid: "Etc/UTC", include_managed: "true", ...more });
  expect(status).toBe(200);
  return json.events;
}

describe("202", () => {
  it("removes the event from both reads at once, with an empty body", async () => {
    const opened = await calendarWithMeeting();
    expectEmpty(await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1" }), 202);
    expect(await eventsOf(opened)).toEqual([]);
    const { json } = await opened.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy).toEqual([]);
  });

  it("leaves the event for reads with include_deleted, as deleted and changed", async () => {
    const opened = await calendarWithMeeting();
    const [before] = await eventsOf(opened);
    const justAfter = await eventChangedAt(opened.calendarId, { after: "1 microsecond" });
    const changed = { include_deleted: "true", last_modified: justAfter };
    expect(await eventsOf(opened, changed)).toEqual([]);
    await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1" });
    expect(await eventsOf(opened, changed)).toMatchObject([
      { event_uid: before.event_uid, event_id: "meeting-1", deleted: true },
    ]);
  });

  it("is the answer to the same fields in the query, for those whose body was dropped on its way", async () => {
    const opened = await openCalendar();
    const [D1, D2] = [dayFromNow(10), dayFromNow(11)];
    const series = { ...meeting, tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "daily", count: 3 }] } };
    await opened.write(series);
    const remove = (query: string, sent: { body?: string; headers?: Record<string, string> } = {}) =>
      call("DELETE", `${atPath(opened.calendarId)}?${query}`, {
        ...sent,
        headers: { authorization: `Bearer ${opened.accessToken}`, ...sent.headers },
      });
    const days = async () =>
      (await eventsOf(opened)).map((event: { occurrence_date: string }) => event.occurrence_date);
    expectEmpty(await remove(`event_id=meeting-1&occurrence_date=${D1}&notify_attendees=false`), 202);
    expect(await days()).toEqual([D2, dayFromNow(12)]);
    expectIssues(await remove("event_id=meeting-1&occurrence_date=2026-02-30"), { occurrence_date: "errors.invalid" });
    expectIssues(await remove("event_id=meeting-1&notify_attendees=no"), { notify_attendees: "errors.invalid_type" });
    expectIssues(await remove("event_id=&event_id[]=a"), { event_id: "errors.invalid_type" });
    expectIssues(await remove("notify_attendees=false"), { base: "errors.invalid_json" });
    const headers = { "content-type": "application/json" };
    expectEmpty(await remove(`event_id=meeting-1&occurrence_date=${D2}`, { headers, body: "" }), 202);
    expect(await days()).toEqual([dayFromNow(12)]);
    for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
      expectEmpty(await remove("event_id=other&notify_attendees=1", { headers: { "content-type": type } }), 202);
    }
    expectEmpty(await remove("event_id=meeting-1&notify_attendees=False"), 202);
    expect(await days()).toEqual([]);
  });

  it("is the answer to the body alone where there is one, whatever the query says", async () => {
    const opened = await calendarWithMeeting();
    const path = `${atPath(opened.calendarId)}?event_id=meeting-1`;
    expectEmpty(await opened.remove(path, { event_id: "other" }), 202);
    expectIssues(await opened.remove(path, {}), { event_id: "errors.required" });
    expect(await eventsOf(opened)).toHaveLength(1);
  });

  it("is also the answer when there is no such event, and when it was deleted before", async () => {
    const opened = await calendarWithMeeting();
    expectEmpty(await opened.remove(atPath(opened.calendarId), { event_id: "other" }), 202);
    expect(await eventsOf(opened)).toHaveLength(1);
    for (const _ of ["first", "second"]) {
      expectEmpty(await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1" }), 202);
    }
    expect(await eventsOf(opened, { include_deleted: "true" })).toHaveLength(1);
  });

  it.each([true, false])("takes notify_attendees %s", async (notify_attendees) => {
    const opened = await calendarWithMeeting();
    expectEmpty(await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1", notify_attendees }), 202);
    expect(await eventsOf(opened)).toEqual([]);
  });

  it("deletes nothing else: not in this calendar, not in another", async () => {
    const opened = await calendarWithMeeting();
    await opened.write({ ...meeting, event_id: "Meeting-1" });
    const sister = await openCalendar(opened.application);
    await sister.write(meeting);
    await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1" });
    expect(await eventsOf(opened)).toMatchObject([{ event_id: "Meeting-1" }]);
    expect(await eventsOf(sister)).toHaveLength(1);
  });

  it("ignores fields the API does not have", async () => {
    const opened = await calendarWithMeeting();
    expectEmpty(await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1", event_uid: 5, a: [{}] }), 202);
  });

  it("takes an event_id of 512 characters", async () => {
    const opened = await openCalendar();
    const event_id = "𝄞".repeat(512);
    await opened.write({ ...meeting, event_id });
    expectEmpty(await opened.remove(atPath(opened.calendarId), { event_id }), 202);
    expect(await eventsOf(opened)).toEqual([]);
  });

  it("is the answer to each of 10 parallel deletions", async () => {
    const opened = await calendarWithMeeting();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => opened.remove(atPath(opened.calendarId), { event_id: "meeting-1" })),
    );
    for (const answer of answers) expectEmpty(answer, 202);
    expect(await eventsOf(opened, { include_deleted: "true" })).toHaveLength(1);
  });
});

describe("401", () => {
  it("comes before the body is looked at", async () => {
    const { calendarId } = await openCalendar();
    expectSignedOut(await call("DELETE", atPath(calendarId), { json: {} }), "invalid_request");
    expectSignedOut(await withToken("DELETE", atPath(calendarId), "at_unknown", {}), "invalid_token");
  });
});

describe("403", () => {
  it("is the answer on a read-only calendar; a malformed body answers with its mistake first", async () => {
    const { accessToken, calendarIds } = await connectedWithTokens(await newApplication());
    const path = atPath(calendarIds.readonly);
    expectEmpty(await withToken("DELETE", path, accessToken, { event_id: "1" }), 403);
    expectIssues(await withToken("DELETE", path, accessToken, {}), { event_id: "errors.required" });
  });
});

describe("404", () => {
  it("is the answer to a calendar of another account, of another application and to none", async () => {
    const mine = await openCalendar();
    const [sister, stranger] = [await openCalendar(mine.application), await calendarWithMeeting()];
    await sister.write(meeting);
    for (const id of [sister.calendarId, stranger.calendarId, "cal_unknown", "%00"]) {
      expectEmpty(await mine.remove(atPath(id), { event_id: "meeting-1" }), 404);
      expectIssues(await mine.remove(atPath(id), { event_id: 5 }), { event_id: "errors.invalid_type" });
    }
    expect(await eventsOf(sister)).toHaveLength(1);
    expect(await eventsOf(stranger)).toHaveLength(1);
  });
});

describe("422", () => {
  it.each([
    ["errors.required", "event_id", undefined],
    ["errors.invalid_type", "event_id", 5],
    ["errors.invalid_type", "event_id", null],
    ["errors.invalid_type", "occurrence_date", null],
    ["errors.too_small", "event_id", ""],
    ["errors.too_big", "event_id", "𝄞".repeat(513)],
    ["errors.invalid_type", "notify_attendees", "false"],
    ["errors.invalid_type", "occurrence_date", 20261121],
    ["errors.invalid", "occurrence_date", "2026-02-30"],
    ["errors.invalid", "occurrence_date", "2026-11-21T09:30:00Z"],
    ["errors.invalid", "occurrence_date", ""],
  ])("%s: %s is %j", async (key, field, value) => {
    const opened = await calendarWithMeeting();
    const answer = await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1", [field]: value });
    expectIssues(answer, { [field]: key });
    expect(await eventsOf(opened)).toHaveLength(1);
  });

  it("errors.not_recurring: occurrence_date of an event that does not repeat, which stays", async () => {
    const opened = await calendarWithMeeting();
    const answer = await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1", occurrence_date: DAY });
    expectIssues(answer, { occurrence_date: "errors.not_recurring" });
    expect(await eventsOf(opened)).toHaveLength(1);
  });

  it("reports several mistakes together", async () => {
    const { remove, calendarId } = await openCalendar();
    expectIssues(await remove(atPath(calendarId), { notify_attendees: 1, occurrence_date: "x" }), {
      event_id: "errors.required",
      notify_attendees: "errors.invalid_type",
      occurrence_date: "errors.invalid",
    });
  });

  it("errors.invalid_json on base: there is no body", async () => {
    const { accessToken, calendarId } = await calendarWithMeeting();
    expectIssues(await withToken("DELETE", atPath(calendarId), accessToken), { base: "errors.invalid_json" });
  });

  it("deletes nothing from the database's point of view either", async () => {
    const opened = await calendarWithMeeting();
    const before = await storedRows(opened.application);
    expect(before.occurrences).toHaveLength(1);
    await opened.remove(atPath(opened.calendarId), { event_id: "meeting-1", occurrence_date: "x" });
    expect(await storedRows(opened.application)).toEqual(before);
  });
});
