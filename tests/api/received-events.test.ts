import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { continueCalendar } from "@/server/store/events/continue-series";
import { storedCalendar } from "../fakes/stored";
import { storedOccurrences } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { at, icalSeries, receive } from "./event-states";
import { type Opened, openCalendar } from "./service";

const HOUR = 3_600_000;

const received = (opened: Opened, events: Record<string, Partial<EventState>>, gone: string[] = []) =>
  receive(opened, events, { gone });

async function eventsOf(opened: Opened, more: Record<string, string> = {}) {
  const { json } = await opened.get("/v1/events", { tzid: "Etc/UTC", ...more });
  return json.events;
}

describe("an event that others made", () => {
  it("is read without event_id, and cannot be changed by the application", async () => {
    const opened = await openCalendar();
    expect(await received(opened, { a: { location: "Room 1", private: true, categories: ["work"] } })).toEqual([]);
    const [event] = await eventsOf(opened);
    expect(event).toMatchObject({
      summary: "Theirs",
      location: { description: "Room 1" },
      event_private: true,
      categories: ["work"],
      organizer: { email: "ann@acme.io", display_name: "Ann" },
      recurring: false,
      options: { delete: false, update: false },
    });
    expect(event).not.toHaveProperty("event_id");
  });

  it("received again unchanged keeps its updated; changed, it keeps its event_uid", async () => {
    const opened = await openCalendar();
    await received(opened, { a: {} });
    const stamps = async () =>
      (await storedOccurrences(opened.calendarId)).map(({ uid, updatedAt }) => ({ uid, updatedAt }));
    const first = await stamps();
    await received(opened, { a: {} });
    expect(await stamps()).toEqual(first);
    await received(opened, { a: { summary: "Moved" } });
    expect(await eventsOf(opened)).toMatchObject([{ summary: "Moved", event_uid: (first[0] as { uid: string }).uid }]);
  });

  it("is gone when its provider says so, or when it is cancelled", async () => {
    const opened = await openCalendar();
    await received(opened, { a: {}, b: {} });
    await received(opened, { b: { status: "cancelled" } }, ["a", "never there"]);
    expect(await eventsOf(opened)).toEqual([]);
    expect(await eventsOf(opened, { include_deleted: "true" })).toHaveLength(2);
  });

  it.each([
    ["a declined invitation is never busy", { participationStatus: "declined" }, []],
    ["a tentative reply is tentative", { participationStatus: "tentative" }, ["tentative"]],
    ["a tentative event is tentative", { status: "tentative" }, ["tentative"]],
    ["a transparent event is free", { transparency: "transparent" as const }, ["free"]],
    ["any other is busy", { participationStatus: "needs_action" }, ["busy"]],
  ])("%s", async (_, changes, statuses) => {
    const opened = await openCalendar();
    await received(opened, { a: changes });
    const { json } = await opened.get("/v1/free_busy", { tzid: "Etc/UTC" });
    expect(json.free_busy.map(({ free_busy_status }: { free_busy_status: string }) => free_busy_status)).toEqual(
      statuses,
    );
  });
});

describe("a series that others made", () => {
  it("is read as one event an occurrence, with series_identifier and occurrence_date but no series_master and no rule", async () => {
    const opened = await openCalendar();
    await received(opened, { s: { icalRecurrence: icalSeries() }, single: {} });
    const events = (await eventsOf(opened)).filter((event: { recurring: boolean }) => event.recurring);
    expect(events.map((event: { occurrence_date: string }) => event.occurrence_date)).toEqual(
      [1, 2, 3, 4].map(dayFromNow),
    );
    expect(new Set(events.map((event: { series_identifier: string }) => event.series_identifier)).size).toBe(1);
    for (const event of events) {
      expect(event).not.toHaveProperty("series_master");
      expect(event).not.toHaveProperty("recurrence");
    }
  });

  it("takes exceptions: EXDATE, a moved and renamed override, a cancelled one, an orphan", async () => {
    const opened = await openCalendar();
    const local = (day: number) => at(day) as number as LocalTime;
    const moved = {
      recurrenceId: local(2),
      starts: at(2, "15:00"),
      ends: at(2, "16:00"),
      fields: { summary: "Moved", participation_status: "declined" },
    };
    const gone = { recurrenceId: local(3), starts: at(3), ends: at(3), cancelled: true, fields: {} };
    const orphan = { recurrenceId: local(20), starts: at(20), ends: at(20, "10:00"), fields: {} };
    const exdates = [{ text: `${dayFromNow(4).replaceAll("-", "")}T090000` }];
    await received(opened, { s: { icalRecurrence: icalSeries({ exdates, overrides: [moved, gone, orphan] }) } });
    const events = await eventsOf(opened);
    expect(
      events.map(({ occurrence_date, start, summary }: Record<string, string>) => [occurrence_date, start, summary]),
    ).toEqual([
      [dayFromNow(1), `${dayFromNow(1)}T09:00:00Z`, "Theirs"],
      [dayFromNow(2), `${dayFromNow(2)}T15:00:00Z`, "Moved"],
      [dayFromNow(20), `${dayFromNow(20)}T09:00:00Z`, "Theirs"],
    ]);
    const { json } = await opened.get("/v1/free_busy", { tzid: "Etc/UTC" });
    expect(json.free_busy).toHaveLength(2);
  });

  it("by the hour has several occurrences a day, each with an event_uid of its own", async () => {
    const opened = await openCalendar();
    await received(opened, { s: { icalRecurrence: icalSeries({ rrules: ["FREQ=HOURLY;INTERVAL=2;COUNT=5"] }) } });
    const events = await eventsOf(opened);
    expect(new Set(events.map(({ event_uid }: { event_uid: string }) => event_uid)).size).toBe(5);
  });

  it("that is bad stops neither its calendar nor itself: what can be read of it is", async () => {
    const opened = await openCalendar();
    const bad = { rrules: ["FREQ=NEVER", "FREQ=DAILY;COUNT=2"], exdates: [{ text: "the canary" }] };
    const endless = { rrules: ["FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"] };
    const faults = await received(opened, {
      bad: { icalRecurrence: icalSeries(bad) },
      endless: { icalRecurrence: icalSeries(endless) },
      good: {},
    });
    expect(new Set(faults.map(({ externalId }) => externalId))).toEqual(new Set(["bad"]));
    expect(faults.length).toBeGreaterThanOrEqual(2);
    for (const { reason } of faults) expect(reason).not.toMatch(/NEVER|canary/);
    const events = await eventsOf(opened);
    expect(events.filter(({ recurring }: { recurring: boolean }) => !recurring)).toHaveLength(1);
    expect(events.filter(({ recurring }: { recurring: boolean }) => recurring).length).toBeGreaterThanOrEqual(2);
  });

  it("by the quarter of an hour, begun long ago, reaches the far edge of the window", async () => {
    const opened = await openCalendar();
    const long = (rule: string) => ({
      icalRecurrence: icalSeries({ start: (at(1) - 400 * 24 * HOUR) as LocalTime, rrules: [rule] }),
    });
    expect(await received(opened, { quarter: long("FREQ=MINUTELY;INTERVAL=15") })).toEqual([]);
    const last = (await storedOccurrences(opened.calendarId)).at(-1);
    expect(last?.day?.localeCompare(dayFromNow(201))).toBe(1);
  });

  it.each(["FREQ=SECONDLY", "FREQ=MINUTELY", "FREQ=MINUTELY;COUNT=30000", "FREQ=HOURLY;BYMINUTE=0,10,20,30,40,50"])(
    "denser than that, as by %s, keeps its first 1,000 occurrences, and says that it was cut",
    async (rule) => {
      const opened = await openCalendar();
      const faults = await received(opened, { dense: { icalRecurrence: icalSeries({ rrules: [rule] }) } });
      expect(faults).toEqual([{ externalId: "dense", reason: "more occurrences than are kept" }]);
      const stored = await storedOccurrences(opened.calendarId);
      expect(stored).toHaveLength(1_000);
      expect(stored[0]?.day).toBe(dayFromNow(1));
      await continueCalendar(db(), opened.calendarId, (Date.now() + 20 * 24 * HOUR) as Instant);
      expect(await storedOccurrences(opened.calendarId)).toEqual(stored);
    },
  );

  it("twice a day loses none where it is continued, and keeps each event_uid", async () => {
    const opened = await openCalendar();
    const twice = icalSeries({ rrules: ["FREQ=DAILY;BYHOUR=9,17"] });
    await received(opened, { twice: { icalRecurrence: twice } });
    const uids = async () => (await storedOccurrences(opened.calendarId)).map(({ uid }) => uid);
    const before = await uids();
    await continueCalendar(db(), opened.calendarId, (Date.now() + 20 * 24 * HOUR) as Instant);
    const after = await uids();
    expect(after).toEqual(expect.arrayContaining(before));
    const days = (await storedOccurrences(opened.calendarId)).map(({ day }) => day);
    expect(days.filter((day) => days.filter((other) => other === day).length !== 2 && day !== days.at(-1))).toEqual([]);
  });

  it("that has ended is not continued", async () => {
    const opened = await openCalendar();
    await received(opened, { ended: { icalRecurrence: icalSeries() } });
    expect(await storedCalendar(opened.calendarId)).toMatchObject({ coveredUntil: null });
  });

  it("an event that no database can hold is named, and the others are taken", async () => {
    const opened = await openCalendar();
    const faults = await received(opened, { nul: { summary: "a\u0000b" }, good: {} });
    expect(faults).toEqual([{ externalId: "nul", reason: "22P05" }]);
    expect(await eventsOf(opened)).toHaveLength(1);
  });
});
