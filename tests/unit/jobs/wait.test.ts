import { describe, expect, it } from "vitest";
import { firstTick } from "@/server/jobs/executor/cron";
import { retryWait, sleepOf } from "@/server/jobs/executor/wait";

describe("the wait before another attempt", () => {
  it("is what the function asked for, in seconds or as an instant, between a second and a day", () => {
    expect(retryWait(1, "90")).toEqual({ seconds: 90 });
    expect(retryWait(1, "0")).toEqual({ seconds: 1 });
    expect(retryWait(1, "999999")).toEqual({ seconds: 86_400 });
    expect(retryWait(1, "2026-03-01T10:00:00.000Z")).toEqual({ until: new Date("2026-03-01T10:00:00Z") });
  });

  it.each([
    [1, 10],
    [2, 20],
    [4, 80],
    [20, 3_600],
  ])("else doubles: before attempt %i it is about %i seconds, never twice the same", (attempt, seconds) => {
    const waits = Array.from({ length: 20 }, () => retryWait(attempt, null)).map((wait) =>
      "seconds" in wait ? wait.seconds : 0,
    );
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds * 0.75);
    expect(Math.max(...waits)).toBeLessThanOrEqual(seconds * 1.25);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});

it.each([
  ["30s", { seconds: 30 }],
  ["1h30m", { seconds: 5_400 }],
  ["1w2d3h4m5s", { seconds: 788_645 }],
  ["2026-03-01T10:00:00.250Z", { until: new Date("2026-03-01T10:00:00.250Z") }],
  ["", null],
  ["soon", null],
])("a sleep of %j is read as the SDK writes it", (text, wait) => {
  expect(sleepOf(text)).toEqual(wait);
});

describe("crons", () => {
  it.each([
    ["*/15 * * * *", "2026-03-29T00:50:00Z", "2026-03-29T01:00:00.000Z"],
    ["30 2 * * *", "2026-03-29T00:50:00Z", "2026-03-29T02:30:00.000Z"],
    ["0 0 1 1 *", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00.000Z"],
    ["0 12 * * MON-FRI", "2026-03-28T00:00:00Z", "2026-03-30T12:00:00.000Z"],
  ])("%s ticks in UTC, after %s at %s", (cron, after, tick) => {
    expect(firstTick(cron, new Date(after))?.toISOString()).toBe(tick);
  });
});
