import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLocalTime, parseTime } from "@/server/domain/time/rfc3339";

describe("a time with offset", () => {
  it.each([
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", 0],
    ["2026-01-02t03:04:05z", "2026-01-02T03:04:05Z", 0],
    ["2026-01-02 03:04:05+00:00", "2026-01-02T03:04:05Z", 0],
    ["2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05Z", 0],
    ["2026-01-02T03:04:05+01:00", "2026-01-02T02:04:05Z", 0],
    ["2026-01-01T22:34:05-04:30", "2026-01-02T03:04:05Z", 0],
    ["2026-01-02T23:03:05+23:59", "2026-01-01T23:04:05Z", 0],
    ["2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05Z", 500_000],
    ["2026-01-02T03:04:05.1234567899Z", "2026-01-02T03:04:05Z", 123_456],
    ["2026-01-02T03:04:05.999999999999999Z", "2026-01-02T03:04:05Z", 999_999],
    ["1969-12-31T23:59:59.75Z", "1969-12-31T23:59:59Z", 750_000],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", 0],
    ["0001-01-01T01:00:00+01:00", "0001-01-01T00:00:00Z", 0],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", 0],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z", 0],
  ])("%s is %s and %i µs", (text, second, micros) => {
    expect(parseTime(text)).toEqual({ micros: Date.parse(second) * 1000 + micros });
  });

  it.each([
    ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59Z"],
    ["0001-01-01T00:00:00.999999Z", "0001-01-01T00:00:00Z"],
    ["2255-06-05T23:47:33.999999Z", "2255-06-05T23:47:33Z"],
    ["2255-06-05T23:47:34.999999Z", "2255-06-05T23:47:34Z"],
  ])("%s is never counted to the next second", (text, second) => {
    const micros = parseTime(text)?.micros ?? Number.NaN;
    expect(Math.floor(micros / 1_000_000) * 1000).toBe(Date.parse(second));
    expect(micros - Date.parse(second) * 1000).toBeGreaterThan(999_900);
  });

  it.each([
    ["no offset", "2026-01-02T03:04:05"],
    ["no minutes", "2026-01-02T03Z"],
    ["a fraction of a minute", "2026-01-02T03:04.5Z"],
    ["one digit of seconds", "2026-01-02T03:04:5Z"],
    ["no time", "2026-01-02"],
    ["24:00", "2026-01-02T24:00:00Z"],
    ["a leap second", "2016-12-31T23:59:60Z"],
    ["minute 60", "2026-01-02T03:60:05Z"],
    ["a date that does not exist", "2026-02-30T00:00:00Z"],
    ["month 13", "2026-13-01T00:00:00Z"],
    ["the year 0", "0000-12-31T23:00:00-02:00"],
    ["before the year 1 in UTC", "0001-01-01T00:59:59+01:00"],
    ["after the year 9999 in UTC", "9999-12-31T23:59:59-00:01"],
    ["an offset of 24 hours", "2026-01-02T03:04:05+24:00"],
    ["an offset of 25 hours", "2026-01-02T03:04:05+25:00"],
    ["an offset of 60 minutes", "2026-01-02T03:04:05+01:60"],
    ["an offset of 60 minutes without colon", "2026-01-02T03:04:05+0160"],
    ["an offset of one digit", "2026-01-02T03:04:05+1"],
    ["an offset of three digits", "2026-01-02T03:04:05+100"],
    ["an offset that ends in a colon", "2026-01-02T03:04:05+01:"],
    ["a time without colons", "2026-01-02T030405Z"],
    ["a date without hyphens", "20260102T03:04:05Z"],
    ["an offset with seconds", "2026-01-02T03:04:05+01:00:00"],
    ["a Unicode minus", "2026-01-02T03:04:05\u221201:00"],
    ["an empty fraction", "2026-01-02T03:04:05.Z"],
    ["a fraction after a comma", "2026-01-02T03:04:05,5Z"],
    ["two spaces", "2026-01-02  03:04:05Z"],
    ["a space in front", " 2026-01-02T03:04:05Z"],
    ["a line feed behind", "2026-01-02T03:04:05Z\n"],
    ["a zone in brackets without an offset", "2026-01-02T03:04:05[Europe/Berlin]"],
    ["something else in brackets", "2026-01-02T03:04:05+01:00[u-ca=hebrew]"],
    ["an expanded year", "+002026-01-02T03:04:05Z"],
    ["Arabic digits", "٢٠٢٦-01-02T03:04:05Z"],
    ["words", "tomorrow"],
    ["nothing", ""],
    ["more than 96 characters", `2026-01-02T03:04:05.${"0".repeat(76)}Z`],
  ])("%s cannot be read", (_, text) => {
    expect(parseTime(text)).toBeNull();
  });

  it("may name a zone after the offset (RFC 9557), which counts", () => {
    for (const zone of ["Europe/Berlin", "Etc/GMT+5"])
      expect(parseTime(`2026-01-02T03:04:05+01:00[${zone}]`)).toEqual(parseTime("2026-01-02T02:04:05Z"));
  });

  it("may have 96 characters", () => {
    expect(parseTime(`2026-01-02T03:04:05.${"0".repeat(75)}Z`)).toEqual({
      micros: Date.UTC(2026, 0, 2, 3, 4, 5) * 1000,
    });
  });

  it("is read as JavaScript reads it, with any offset", () => {
    const part = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"));
    const wall = fc.date({
      min: new Date("1700-01-02T00:00:00Z"),
      max: new Date("2250-12-30T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(wall, fc.constantFrom("+", "-"), part(23), part(59), (date, sign, hours, minutes) => {
        const text = date.toISOString().replace("Z", `${sign}${hours}:${minutes}`);
        expect(parseTime(text)).toEqual({ micros: Date.parse(text) * 1000 });
      }),
      { numRuns: 5000 },
    );
  });

  it("is the same however its separator, its zero seconds and its offset are written", () => {
    const two = (n: number) => String(n).padStart(2, "0");
    const offset = fc.tuple(fc.constantFrom("+", "-"), fc.nat(23), fc.nat(59));
    const day = fc.constantFrom("2026-12-01", "2024-02-29", "1700-06-30");
    fc.assert(
      fc.property(day, fc.nat(23), fc.nat(59), offset, (date, hour, minute, [sign, hours, minutes]) => {
        const strict = `${date}T${two(hour)}:${two(minute)}:00${sign}${two(hours)}:${two(minutes)}`;
        const known = { micros: Date.parse(strict) * 1000 };
        const times = [":00", "", ":00.000"].map((seconds) => `${two(hour)}:${two(minute)}${seconds}`);
        const colons = [":", ""].map((colon) => `${sign}${two(hours)}${colon}${two(minutes)}`);
        const offsets = minutes === 0 ? [...colons, `${sign}${two(hours)}`] : colons;
        for (const separator of ["T", "t", " "]) {
          for (const time of times) {
            for (const written of offsets) expect(parseTime(date + separator + time + written)).toEqual(known);
            const utc = { micros: Date.parse(`${date}T${two(hour)}:${two(minute)}:00Z`) * 1000 };
            for (const zulu of ["Z", "z"]) expect(parseTime(date + separator + time + zulu)).toEqual(utc);
            expect(parseLocalTime(date + separator + time)).toBe(utc.micros / 1000);
          }
        }
      }),
    );
  });

  it("is answered at once whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 70, unit: fc.constantFrom(..."0123456789-:.+TtZz ") }), (text) => {
        const parsed = parseTime(text);
        if (parsed) expect(Number.isInteger(parsed.micros)).toBe(true);
      }),
    );
    expect(parseTime("1".repeat(10_000_000))).toBeNull();
  });
});

describe("a local time", () => {
  it.each([
    ["2026-01-02T03:04:05", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02 03:04:05.123999", "2026-01-02T03:04:05.123Z"],
    ["0001-01-02t00:00:00", "0001-01-02T00:00:00.000Z"],
    ["9999-12-30T23:59:59", "9999-12-30T23:59:59.000Z"],
    ["2026-01-02T03:04", "2026-01-02T03:04:00.000Z"],
  ])("%s is read as though it were %s", (text, utc) => {
    expect(parseLocalTime(text)).toBe(Date.parse(utc));
  });

  it.each([
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05+01:00",
    "2026-02-30T03:04:05",
    "2026-01-02T24:00:00",
    "2026-01-02T03:04:60",
    "2026-01-02T03",
    "2026-01-02T03:04+0100",
    "2026-01-02T03:04+01",
    "2026-01-02",
    "0001-01-01T23:59:59",
    "9999-12-31T00:00:00",
    "",
  ])("%j cannot be read", (text) => {
    expect(parseLocalTime(text)).toBeNull();
  });
});
