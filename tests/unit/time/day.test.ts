import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civil, type Day, dayFromCivil, daysInMonth, formatDay, parseDay, weekday } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";

const FIRST = -719_162;
const LAST = 2_932_896;
const anyDay = fc.integer({ min: FIRST, max: LAST }).map((n) => n as Day);

describe("a date", () => {
  it.each([
    ["1970-01-01", 0],
    ["1969-12-31", -1],
    ["2000-02-29", 11_016],
    ["2026-01-02", 20_455],
    ["0001-01-01", FIRST],
    ["9999-12-31", LAST],
  ])("%s is day %i since 1970", (text, day) => {
    expect(parseDay(text)).toBe(day);
    expect(formatDay(day as Day)).toBe(text);
  });

  it.each([
    "2026-02-30",
    "2026-02-29",
    "1900-02-29",
    "2026-04-31",
    "2026-00-10",
    "2026-13-01",
    "2026-01-00",
    "2026-01-32",
    "0000-01-01",
    "2026-1-01",
    "20260101",
    "2026-01-01Z",
    " 2026-01-01",
    "2026-01-01\n",
    "+2026-01-01",
    "-026-01-01",
    "12026-01-01",
    "2026/01/01",
    "２０２６-01-01",
    "2026-01-0x",
    "",
  ])("%j is no date", (text) => {
    expect(parseDay(text)).toBeNull();
  });

  it("is read and written as JavaScript's UTC calendar has it, all days of the years 1 to 9999", () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const utc = new Date(day * 86_400_000);
        const text = utc.toISOString().slice(0, 10);
        expect(formatDay(day)).toBe(text);
        expect(parseDay(text)).toBe(day);
        expect(civil(day)).toEqual({
          year: utc.getUTCFullYear(),
          month: utc.getUTCMonth() + 1,
          dayOfMonth: utc.getUTCDate(),
        });
        expect(weekday(day)).toBe((utc.getUTCDay() + 6) % 7);
      }),
      { numRuns: 5000 },
    );
  });

  it("follows the day before it on every day of 400 years", () => {
    let { year, month, dayOfMonth } = civil(dayFromCivil(1799, 12, 31));
    const last = dayFromCivil(2200, 1, 1);
    for (let day = dayFromCivil(1800, 1, 1); day <= last; day++) {
      dayOfMonth++;
      if (dayOfMonth > daysInMonth(year, month)) {
        dayOfMonth = 1;
        month = (month % 12) + 1;
        if (month === 1) year++;
      }
      const date = civil(day);
      if (date.year !== year || date.month !== month || date.dayOfMonth !== dayOfMonth)
        expect(date).toEqual({ year, month, dayOfMonth });
      if (dayFromCivil(year, month, dayOfMonth) !== day) expect(dayFromCivil(year, month, dayOfMonth)).toBe(day);
    }
    expect({ year, month, dayOfMonth }).toEqual({ year: 2200, month: 1, dayOfMonth: 1 });
  });

  it("runs on into the next month past its end", () => {
    expect(dayFromCivil(2026, 2, 31)).toBe(parseDay("2026-03-03"));
  });

  it("begins at midnight UTC and holds every instant up to the next", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 86_399_999 }), (day, ofDay) => {
        expect(dayOf((utcMidnight(day) + ofDay) as Instant)).toBe(day);
      }),
    );
  });
});
