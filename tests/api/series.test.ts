import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { NOW, opened } from "./read-under-test";
import { daily, daysOf, eventsOf, repeating, timesOf, write } from "./written-series";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const december = (...days: number[]) => days.map((day) => `2025-12-${String(day).padStart(2, "0")}`);

describe("a repeating event", () => {
  it("is returned as one event per occurrence", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating() });
    expect(await timesOf(calendar)).toEqual(
      december(1, 2, 3, 4, 5).map((day) => [day, `${day}T08:00:00Z`, `${day}T08:30:00Z`]),
    );
    const { json } = await calendar.get("/v1/free_busy", {
      tzid: "Etc/UTC",
      include_managed: "true",
      include_ids: "1",
    });
    const busy = json.free_busy.map(({ event_id, event_uid, start, free_busy_status }: Record<string, string>) => {
      return { event_id, event_uid, start, free_busy_status };
    });
    expect(busy).toEqual(
      (await eventsOf(calendar)).map(({ event_id, event_uid, start }) => {
        return { event_id, event_uid, start, free_busy_status: "busy" };
      }),
    );
  });

  it("has recurring, series_identifier, series_master and event_id on every occurrence, and an event_uid of its own on each", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating() });
    await write(calendar, { ...daily, ...repeating(), event_id: "other" });
    await write(calendar, { ...daily, event_id: "single" });
    const events = await eventsOf(calendar);
    const [mine, others] = ["series", "other"].map((id) => events.filter(({ event_id }) => event_id === id));
    expect(new Set(events.map(({ event_uid }) => event_uid)).size).toBe(11);
    for (const series of [mine, others]) {
      const [first] = series ?? [];
      expect(series).toHaveLength(5);
      for (const event of series ?? []) {
        expect(event).toMatchObject({
          recurring: true,
          series_identifier: first?.series_identifier,
          series_master: { event_id: first?.event_id, event_uid: first?.event_uid },
          created: expect.any(String),
          options: { delete: true, update: true },
        });
      }
    }
    expect(mine?.[0]?.series_identifier).not.toBe(others?.[0]?.series_identifier);
    const [single] = events.filter(({ event_id }) => event_id === "single");
    expect(single).toMatchObject({ recurring: false });
    for (const field of ["series_identifier", "series_master", "occurrence_date", "recurrence"]) {
      expect(single).not.toHaveProperty(field);
    }
  });

  it.each([
    { frequency: "daily", count: 3 },
    { frequency: "daily", interval: 2, until: "2025-12-31" },
    { frequency: "weekly", by_day: [{ day: "friday" }, { day: "monday" }], count: 4 },
    { frequency: "monthly", by_day: [{ day: "monday", nth_of_period: 1 }], interval: 3 },
    { frequency: "yearly", interval: 99 },
  ])("has recurrence as sent on its first occurrence only: %j", async (rule) => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(rule) });
    const [first, ...later] = await eventsOf(calendar);
    expect(first?.recurrence).toEqual({ rules: [rule] });
    for (const event of later) expect(event).not.toHaveProperty("recurrence");
  });

  it("has recurrence without interval when that is 1, and without exceptions", async () => {
    const calendar = await opened();
    const rule = { frequency: "daily", interval: 1, count: 3 };
    await write(calendar, { ...daily, ...repeating(rule, { add: [{ date: "2025-12-02" }] }) });
    expect((await eventsOf(calendar))[0]?.recurrence).toEqual({ rules: [{ frequency: "daily", count: 3 }] });
  });

  it("shows recurrence on the next occurrence when the first is skipped, which is series_master then", async () => {
    const calendar = await opened();
    await write(calendar, {
      ...daily,
      ...repeating({ frequency: "daily", count: 3 }, { add: [{ date: "2025-12-01" }] }),
    });
    const [first, second] = await eventsOf(calendar);
    expect(first).toMatchObject({ occurrence_date: "2025-12-02", recurrence: { rules: [{ count: 3 }] } });
    expect(second?.series_master).toEqual({ event_id: "series", event_uid: first?.event_uid });
    expect(second).not.toHaveProperty("recurrence");
  });

  it("is the application's as a whole: only_managed and include_managed", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating() });
    expect(await eventsOf(calendar, { include_managed: "false" })).toEqual([]);
    expect(await eventsOf(calendar, { include_managed: "false", only_managed: "true" })).toHaveLength(5);
  });
});

const rules: [string, object, object, (string | undefined)[]][] = [
  ["count is the total, the first included", {}, { frequency: "daily", count: 3 }, december(1, 2, 3)],
  ["until is inclusive", {}, { frequency: "daily", until: "2025-12-03" }, december(1, 2, 3)],
  ["until may be the day of the start", {}, { frequency: "daily", until: "2025-12-01" }, december(1)],
  ["interval", {}, { frequency: "daily", interval: 99, count: 3 }, ["2025-12-01", "2026-03-10"]],
  [
    "weekly by_day",
    {},
    { frequency: "weekly", by_day: [{ day: "monday" }, { day: "sunday" }], count: 5 },
    december(1, 7, 8, 14, 15),
  ],
  ["weekly without by_day repeats on start's weekday", {}, { frequency: "weekly", count: 3 }, december(1, 8, 15)],
  [
    "weekly with an interval counts weeks from Monday",
    { start: "2025-12-07T09:00:00+01:00", end: "2025-12-07T09:30:00+01:00" },
    { frequency: "weekly", interval: 2, by_day: [{ day: "sunday" }, { day: "monday" }], count: 3 },
    ["2025-12-07", "2025-12-15", "2025-12-21"],
  ],
  [
    "monthly without by_day repeats on the day of month",
    { start: "2025-11-28T09:00:00+01:00", end: "2025-11-28T09:30:00+01:00" },
    { frequency: "monthly", count: 4 },
    ["2025-11-28", "2025-12-28", "2026-01-28", "2026-02-28"],
  ],
  [
    "monthly by_day, the last one",
    { start: "2025-11-28T09:00:00+01:00", end: "2025-11-28T09:30:00+01:00" },
    { frequency: "monthly", by_day: [{ day: "friday", nth_of_period: -1 }], count: 3 },
    ["2025-11-28", "2025-12-26", "2026-01-30"],
  ],
  [
    "monthly by_day, two places",
    {},
    {
      frequency: "monthly",
      by_day: [
        { day: "monday", nth_of_period: 1 },
        { day: "monday", nth_of_period: 3 },
      ],
      count: 4,
    },
    ["2025-12-01", "2025-12-15", "2026-01-05", "2026-01-19"],
  ],
  ["yearly repeats on the start's date", {}, { frequency: "yearly", count: 2 }, ["2025-12-01"]],
];

describe("the rule", () => {
  it.each(rules)("%s", async (_, times, rule, days) => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...times, ...repeating(rule) });
    expect(await daysOf(calendar)).toEqual(days);
  });

  it("until is a day of the event's zone, whatever the day in UTC", async () => {
    const calendar = await opened();
    const late = { start: "2025-12-01T23:30:00-05:00", end: "2025-12-02T00:30:00-05:00", tzid: "America/New_York" };
    await write(calendar, { ...daily, ...late, ...repeating({ frequency: "daily", until: "2025-12-02" }) });
    expect(await timesOf(calendar)).toEqual([
      ["2025-12-01", "2025-12-02T04:30:00Z", "2025-12-02T05:30:00Z"],
      ["2025-12-02", "2025-12-03T04:30:00Z", "2025-12-03T05:30:00Z"],
    ]);
  });

  it("is begun by a start years ago, or years ahead", async () => {
    const calendar = await opened();
    const old = { start: "0001-01-01T09:00:00Z", end: "0001-01-01T09:30:00Z", tzid: "Etc/UTC" };
    await write(calendar, { ...daily, ...old, ...repeating({ frequency: "weekly" }) });
    const ahead = { start: "9999-12-30", end: "9999-12-31", event_id: "ahead" };
    await write(calendar, { ...daily, ...ahead, ...repeating({ frequency: "daily" }) });
    const days = await daysOf(calendar);
    expect(days).toHaveLength(35);
    expect(days[0]).toBe("2025-10-13");
  });

  it.each([undefined, 2])(
    "with its only day skipped has no occurrence, at the end of time too: count %s",
    async (count) => {
      const calendar = await opened();
      const last = { start: "9999-12-31", end: "9999-12-31", tzid: undefined };
      const exceptions = { add: [{ date: "9999-12-31" }] };
      await write(calendar, {
        ...daily,
        ...last,
        ...repeating({ frequency: "daily", ...(count && { count }) }, exceptions),
      });
      expect(await eventsOf(calendar, { include_deleted: "true" })).toEqual([]);
    },
  );
});

describe("an all-day series", () => {
  it("repeats dates, with exclusive ends, and needs no tzid", async () => {
    const calendar = await opened();
    const days = { start: "2025-12-01", end: "2025-12-03", tzid: undefined };
    await write(calendar, { ...daily, ...days, ...repeating({ frequency: "weekly", count: 2 }) });
    expect(await timesOf(calendar)).toEqual([
      ["2025-12-01", "2025-12-01", "2025-12-03"],
      ["2025-12-08", "2025-12-08", "2025-12-10"],
    ]);
  });

  it.each(["Pacific/Kiritimati", "Etc/UTC", "Etc/GMT+12"])(
    "without end reaches the far edge in %s on each day until it is continued",
    async (tzid) => {
      const calendar = await opened();
      await write(calendar, { ...daily, start: "2025-12-01", end: "2025-12-02", ...repeating({ frequency: "daily" }) });
      for (const hours of [-23, -12, -1, 0, 25]) {
        const { now } = fakeClock(NOW + 30 * DAY_MS + hours * HOUR_MS);
        const edge = new Date(now() + 201 * DAY_MS - 1);
        expect((await eventsOf(calendar, { tzid })).at(-1)?.start).toBe(
          edge.toLocaleDateString("sv-SE", { timeZone: tzid }),
        );
      }
    },
  );
});

describe("a series without end", () => {
  it("fills the read window to its far edge, on the day it is written and some days later", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating({ frequency: "daily" }) });
    expect((await daysOf(calendar)).at(-1)).toBe("2026-06-10");
    expect(await eventsOf(calendar)).toHaveLength(192);
    fakeClock(NOW + 5 * DAY_MS);
    const again = await eventsOf(calendar);
    expect(again.at(-1)?.start).toBe("2026-06-15T07:00:00Z");
    expect(again).toHaveLength(197);
  });

  it("has occurrences that last longer than the time between them, and longer than the window", async () => {
    const calendar = await opened();
    const long = { start: "2023-01-01T00:00:00Z", end: "2025-12-01T00:00:00Z", tzid: "Etc/UTC" };
    await write(calendar, { ...daily, ...long, ...repeating({ frequency: "monthly" }) });
    const times = await timesOf(calendar);
    expect(times[0]).toEqual(["2023-01-01", "2023-01-01T00:00:00Z", "2025-12-01T00:00:00Z"]);
    expect(times).toHaveLength(42);
  });
});
