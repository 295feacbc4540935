import { describe, expect, it } from "vitest";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcal, type IcalRecurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { at, given } from "@/tests/unit/recurrence/rfc5545/given-series";

const window = { from: at("2026-10-10T00:00:00Z"), to: at("2027-06-10T00:00:00Z") };
// A step is some 100 ns to 1 µs; the rest is for a machine that is busy with other things.
const PATIENCE_MS = 10_000;

function run(series: IcalRecurrence<string>, steps = SERIES_STEPS) {
  const budget = { steps };
  const began = performance.now();
  const { occurrences, exhausted } = expandIcal(series, window, budget);
  return { occurrences, exhausted, used: steps - budget.steps, took: performance.now() - began };
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i).join(",");
const allSeconds = `FREQ=DAILY;BYHOUR=${upTo(24)};BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`;

describe("the budget of a series", () => {
  it.each([
    "FREQ=SECONDLY",
    "FREQ=SECONDLY;COUNT=2147483647",
    "FREQ=SECONDLY;INTERVAL=60;BYSECOND=59",
    "FREQ=MINUTELY;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYSETPOS=-1,-2,-3,-4,-5",
    "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1;COUNT=3",
    "FREQ=YEARLY;BYMONTHDAY=30;BYMONTH=2;COUNT=5",
    allSeconds,
    `${allSeconds};BYSETPOS=-1`,
    `${allSeconds};COUNT=2147483647`,
  ])("bounds the work of %s, and says so", (rule) => {
    const { exhausted, used, took } = run(given("00010101T000001", { rrules: [rule] }));
    expect({ exhausted, used }).toEqual({ exhausted: true, used: SERIES_STEPS });
    expect(took).toBeLessThan(PATIENCE_MS);
  });

  it.each([
    ["FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", 50],
    ["FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2", 200],
    ["FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=100", 1_500],
    ["FREQ=SECONDLY;INTERVAL=2147483647", 10],
    ["FREQ=SECONDLY;BYHOUR=12;BYMINUTE=0;BYSECOND=0", 1_500],
    ["FREQ=MINUTELY;BYDAY=MO;BYHOUR=9;BYMINUTE=15", 1_000],
    ["FREQ=DAILY;BYSETPOS=400", 300],
  ])("is hardly touched by %s, which leaps over what it shuts out", (rule, most) => {
    const { exhausted, used, took } = run(given("00010101T000001", { rrules: [rule] }));
    expect(exhausted).toBe(false);
    expect(used).toBeLessThanOrEqual(most);
    expect(took).toBeLessThan(PATIENCE_MS);
  });

  it.each([
    "FREQ=DAILY",
    "FREQ=HOURLY;INTERVAL=5",
    "FREQ=WEEKLY;BYDAY=MO,FR",
    "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=YEARLY",
  ])("is spent on %s alike, whatever the series' age", (rule) => {
    const [young, old] = ["20261001T090000", "10261001T090000"].map((start) => run(given(start, { rrules: [rule] })));
    expect(old?.used).toBeLessThan((young?.used ?? 0) * 1.2 + 100);
    expect(old?.exhausted).toBe(false);
  });

  it("lets no rule starve another", () => {
    const series = given("20261010T090000", {
      rrules: ["FREQ=SECONDLY;COUNT=2000000000", "FREQ=MONTHLY;BYMONTHDAY=28"],
    });
    const { occurrences, exhausted } = run(series);
    const monthly = occurrences.filter((one) => new Date(one.recurrenceId).getUTCDate() === 28);
    expect(exhausted).toBe(true);
    expect(new Set(monthly.map((one) => one.day)).size).toBe(8);
  });

  it("bounds long lists, and rules by the thousand", () => {
    const text = Array.from({ length: 200_000 }, () => "20261011T090000").join(",");
    const lists = run(given("20261010T090000", { exdates: [{ text }], rdates: [{ text }] }));
    const rrules = Array.from({ length: 1_000 }, (_, i) => `FREQ=SECONDLY;UNTIL=${1000 + i * 8}0101T000000Z`);
    const rules = run(given("20261010T090000", { rrules }));
    for (const { exhausted, took } of [lists, rules]) {
      expect(exhausted).toBe(true);
      expect(took).toBeLessThan(PATIENCE_MS);
    }
  });

  it("is not asked for the clocks of years that nobody sees", () => {
    const years = Array.from({ length: 8_999 }, (_, i) => `${1000 + i}0101T090000Z/20270101T000000Z`).join(",");
    const overrides = Array.from({ length: 8_000 }, (_, i) => {
      const starts = at("2027-01-01T00:00:00Z");
      return { recurrenceId: given(`${1000 + i}0601T090000`).start, starts, ends: starts, cancelled: true, fields: "" };
    });
    const { exhausted, took } = run(
      given("20261010T090000", { rdates: [{ text: years }], overrides, tzid: "Asia/Gaza" }),
    );
    expect(exhausted).toBe(false);
    expect(took).toBeLessThan(PATIENCE_MS);
  });
});
