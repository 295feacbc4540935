import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { firstDayAfter, firstDayFrom, localDay, midnight, midnightOffsets } from "@/server/domain/time/zone";
import { namedZone } from "@/tests/unit/time/named-zone";

const at = (text: string) => Date.parse(text) as Instant;
const day = (text: string) => {
  const read = parseDay(text);
  if (read === null) throw new Error(`${text} is no date`);
  return read;
};
const iso = (instant: Instant) => new Date(instant).toISOString();

const aZone = fc.constantFrom(
  ..."America/Santiago America/Havana America/St_Johns Asia/Beirut Asia/Gaza Asia/Tehran Africa/Cairo Africa/Casablanca".split(
    " ",
  ),
  ..."Pacific/Apia Pacific/Kwajalein Australia/Lord_Howe Europe/Berlin America/New_York Asia/Kathmandu Etc/UTC".split(
    " ",
  ),
);
const aDay = fc.integer({ min: day("1970-01-01"), max: day("2100-12-31") }).map((n) => n as Day);

describe("a local midnight", () => {
  it.each([
    ["Europe/Berlin", "2026-01-01", "2025-12-31T23:00:00.000Z"],
    ["America/New_York", "2026-07-01", "2026-07-01T04:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00:00.000Z"],
    ["Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15:00.000Z"],
    ["America/Santiago", "2026-09-05", "2026-09-05T04:00:00.000Z"],
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"], // in the gap: 01:00 local
    ["America/Santiago", "2026-09-07", "2026-09-07T03:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"], // the day that was left out
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z"],
    ["America/St_Johns", "2006-10-29", "2006-10-29T02:30:00.000Z"], // twice: the first
  ])("in %s on %s is at %s", (name, date, instant) => {
    expect(iso(midnight(namedZone(name), day(date)))).toBe(instant);
  });

  it("is where Temporal has it on every day of 1970 to 2100", () => {
    fc.assert(
      fc.property(aZone, aDay, (name, date) => {
        const expected = Temporal.PlainDateTime.from(formatDay(date)).toZonedDateTime(name, {
          disambiguation: "compatible",
        });
        expect(midnight(namedZone(name), date)).toBe(expected.epochMilliseconds);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("a local date", () => {
  it.each([
    ["Europe/Berlin", "2026-01-01T22:59:59Z", "2026-01-01"],
    ["Europe/Berlin", "2026-01-01T23:00:00Z", "2026-01-02"],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"],
  ])("in %s at %s is %s", (name, instant, date) => {
    expect(formatDay(localDay(namedZone(name), at(instant)))).toBe(date);
  });

  it.each([
    ["Etc/UTC", "2026-01-01T00:00:00Z", "2026-01-01", "2026-01-02"],
    ["Etc/UTC", "2026-01-01T00:00:00.001Z", "2026-01-02", "2026-01-02"],
    ["Europe/Berlin", "2025-12-31T23:00:00Z", "2026-01-01", "2026-01-02"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30", "2012-01-01"],
    ["America/Santiago", "2026-09-06T04:00:00Z", "2026-09-06", "2026-09-07"],
    ["America/St_Johns", "2006-10-29T02:45:00Z", "2006-10-30", "2006-10-30"],
  ])("in %s the first that begins at or after %s is %s, the first after it %s", (name, instant, from, after) => {
    expect(formatDay(firstDayFrom(namedZone(name), at(instant)))).toBe(from);
    expect(formatDay(firstDayAfter(namedZone(name), at(instant)))).toBe(after);
  });

  it("is the first that begins at, or after, an instant by comparing all midnights around it", () => {
    const distance = fc.oneof(
      fc.constant(0),
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: -90_000_000, max: 90_000_000 }),
    );
    fc.assert(
      fc.property(aZone, aDay, distance, (name, date, ms) => {
        const zone = namedZone(name);
        const instant = (midnight(zone, date) + ms) as Instant;
        const around = Array.from({ length: 13 }, (_, i) => (date - 6 + i) as Day);
        expect(firstDayFrom(zone, instant)).toBe(around.find((d) => midnight(zone, d) >= instant));
        expect(firstDayAfter(zone, instant)).toBe(around.find((d) => midnight(zone, d) > instant));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("the offsets of local midnights", () => {
  it("change on the day after a change of the clocks, and once more for a midnight in a gap", () => {
    const written = (name: string, from: string, to: string) =>
      midnightOffsets(namedZone(name), day(from), day(to)).map((entry) => [formatDay(entry.day), entry.offset / 3600]);
    expect(written("Europe/Berlin", "2026-01-01", "2026-12-31")).toEqual([
      ["2026-01-01", 1],
      ["2026-03-30", 2],
      ["2026-10-26", 1],
    ]);
    expect(written("America/Santiago", "2026-01-01", "2026-12-31")).toEqual([
      ["2026-01-01", -3],
      ["2026-04-05", -4],
      ["2026-09-07", -3],
    ]);
    expect(written("Pacific/Apia", "2011-12-28", "2012-01-02")).toEqual([
      ["2011-12-28", -10],
      ["2011-12-31", 14],
    ]);
    expect(written("Etc/UTC", "1970-01-01", "2099-12-31")).toEqual([["1970-01-01", 0]]);
    expect(written("Europe/Berlin", "2026-07-01", "2026-07-01")).toEqual([["2026-07-01", 2]]);
    expect(written("Europe/Berlin", "2026-07-02", "2026-07-01")).toEqual([]);
  });

  it("give every day's midnight, and no entry says what the one before it says", () => {
    fc.assert(
      fc.property(aZone, aDay, fc.integer({ min: 0, max: 800 }), (name, from, length) => {
        const zone = namedZone(name);
        const to = (from + length) as Day;
        const entries = midnightOffsets(zone, from, to);
        expect(entries[0]?.day).toBe(from);
        const wrong: string[] = [];
        let i = 0;
        for (let date = from; date <= to; date++) {
          if (entries[i + 1]?.day === date) i++;
          const offset = entries[i]?.offset ?? Number.NaN;
          if (utcMidnight(date) - offset * 1000 !== midnight(zone, date)) wrong.push(formatDay(date));
        }
        expect(wrong).toEqual([]);
        expect(i).toBe(entries.length - 1);
        expect(entries.filter((entry, j) => entries[j + 1]?.offset === entry.offset)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
