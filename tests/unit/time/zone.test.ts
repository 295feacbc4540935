import { describe, expect, it } from "vitest";
import type { Instant } from "@/server/domain/time/instant";
import { parseLocalTime } from "@/server/domain/time/rfc3339";
import { formatZoned, offsetAt, toInstant, toLocal } from "@/server/domain/time/zone";
import { namedZone } from "@/tests/unit/time/named-zone";

const at = (text: string) => Date.parse(text) as Instant;
const local = (text: string) => {
  const read = parseLocalTime(text);
  if (read === null) throw new Error(`${text} is no local time`);
  return read;
};

describe("the offset of a zone", () => {
  it.each([
    ["Etc/UTC", "2026-07-01T00:00:00Z", 0],
    ["America/New_York", "2026-03-08T06:59:59Z", -5 * 3600],
    ["America/New_York", "2026-03-08T07:00:00Z", -4 * 3600],
    ["America/New_York", "2026-11-01T05:59:59Z", -4 * 3600],
    ["America/New_York", "2026-11-01T06:00:00Z", -5 * 3600],
    ["America/New_York", "2010-03-14T05:00:00Z", -5 * 3600],
    ["Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700],
    ["Asia/Kathmandu", "1985-12-31T18:29:59Z", 19_800],
    ["America/St_Johns", "2026-01-01T00:00:00Z", -12_600],
    ["America/St_Johns", "2006-04-02T03:31:00Z", -9000],
    ["Australia/Lord_Howe", "2026-04-04T14:59:59Z", 39_600],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z", 37_800],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", -36_000],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", 50_400],
    ["Pacific/Kiritimati", "2026-01-01T00:00:00Z", 50_400],
    ["Africa/Casablanca", "2026-02-20T00:00:00Z", 0],
    ["Africa/Casablanca", "2026-04-20T00:00:00Z", 3600],
    ["Africa/Monrovia", "1970-01-01T00:00:00Z", -2670],
    ["Europe/Amsterdam", "1850-01-01T00:00:00Z", 1050],
    ["Europe/Berlin", "9999-07-01T00:00:00Z", 7200],
    ["Europe/Berlin", "0001-07-01T00:00:00Z", 3208],
    // Zones whose clocks were changed and changed back within days: easily stepped over.
    ["America/Recife", "2000-10-10T12:00:00Z", -7200],
    ["Asia/Gaza", "2040-10-24T12:00:00Z", 10_800],
  ])("%s at %s is %i seconds", (name, time, offset) => {
    const zone = namedZone(name);
    expect(offsetAt(zone, at(time))).toBe(offset);
    expect(toLocal(zone, at(time))).toBe(at(time) + offset * 1000);
  });
});

describe("a local time of a zone", () => {
  it.each([
    ["America/New_York", "2026-01-02T03:04:05", "2026-01-02T08:04:05Z", "an ordinary time"],
    ["America/New_York", "2026-03-08T01:59:59", "2026-03-08T06:59:59Z", "before the gap"],
    ["America/New_York", "2026-03-08T02:00:00", "2026-03-08T07:00:00Z", "in the gap, shifted forward by it"],
    ["America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:30:00Z", "in the gap, shifted forward by it"],
    ["America/New_York", "2026-03-08T03:00:00", "2026-03-08T07:00:00Z", "after the gap"],
    ["America/New_York", "2026-11-01T00:59:59", "2026-11-01T04:59:59Z", "before the overlap"],
    ["America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00Z", "in the overlap, the first of the two"],
    ["America/New_York", "2026-11-01T02:00:00", "2026-11-01T07:00:00Z", "after the overlap"],
    ["Europe/Berlin", "2027-03-28T02:30:00", "2027-03-28T01:30:00Z", "in the gap, shifted forward by it"],
    ["Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T00:30:00Z", "in the overlap, the first of the two"],
    ["Australia/Lord_Howe", "2026-10-04T02:15:00", "2026-10-03T15:45:00Z", "in a gap of half an hour"],
    ["Australia/Lord_Howe", "2026-04-05T01:45:00", "2026-04-04T14:45:00Z", "in an overlap of half an hour"],
    ["Pacific/Apia", "2011-12-29T23:59:59", "2011-12-30T09:59:59Z", "before the day that was left out"],
    ["Pacific/Apia", "2011-12-30T00:00:00", "2011-12-30T10:00:00Z", "on the day that was left out"],
    ["Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T22:00:00Z", "on the day that was left out"],
    ["Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00Z", "after the day that was left out"],
    ["America/Santiago", "2026-09-06T00:00:00", "2026-09-06T04:00:00Z", "a midnight in the gap"],
    ["America/Santiago", "2026-04-04T23:30:00", "2026-04-05T02:30:00Z", "in an overlap before midnight"],
    ["America/Santiago", "2026-04-05T00:00:00", "2026-04-05T04:00:00Z", "a midnight after the overlap"],
    ["Africa/Casablanca", "2026-02-15T02:30:00", "2026-02-15T01:30:00Z", "in the overlap at the start of Ramadan"],
    ["Africa/Casablanca", "2026-03-22T02:30:00", "2026-03-22T02:30:00Z", "in the gap at the end of Ramadan"],
    ["Asia/Gaza", "2026-03-28T02:30:00", "2026-03-28T00:30:00Z", "in the gap"],
    ["America/St_Johns", "2006-04-02T00:01:00", "2006-04-02T03:31:00Z", "in the gap at a minute past midnight"],
    ["America/St_Johns", "2006-10-28T23:30:00", "2006-10-29T02:00:00Z", "in an overlap over midnight"],
    ["America/St_Johns", "2006-10-29T00:00:30", "2006-10-29T02:30:30Z", "in an overlap over midnight"],
    ["Pacific/Kiritimati", "2026-01-01T00:00:00", "2025-12-31T10:00:00Z", "furthest ahead"],
    ["Asia/Kathmandu", "2026-01-01T05:45:00", "2026-01-01T00:00:00Z", "at 5:45"],
    ["Etc/GMT+12", "2026-01-01T00:00:00", "2026-01-01T12:00:00Z", "furthest behind"],
  ])("%s %s is %s: %s", (name, time, instant) => {
    expect(new Date(toInstant(namedZone(name), local(time))).toISOString()).toBe(instant.replace("Z", ".000Z"));
  });

  it("keeps its milliseconds", () => {
    expect(toInstant(namedZone("Asia/Kolkata"), local("2026-01-02T05:30:00.123"))).toBe(at("2026-01-02T00:00:00.123Z"));
  });
});

describe("a time written with the offset of a zone", () => {
  it.each([
    ["Europe/Berlin", "2026-01-02T02:04:05.999Z", "2026-01-02T03:04:05+01:00"],
    ["Europe/Berlin", "2026-07-02T02:04:05Z", "2026-07-02T04:04:05+02:00"],
    ["America/St_Johns", "2026-01-02T02:04:05Z", "2026-01-01T22:34:05-03:30"],
    ["Asia/Kathmandu", "2026-12-31T23:00:00Z", "2027-01-01T04:45:00+05:45"],
    ["Etc/UTC", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"],
    ["Europe/London", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"],
    ["Europe/London", "2026-07-02T03:04:05Z", "2026-07-02T04:04:05+01:00"],
    ["Africa/Monrovia", "1970-01-01T00:00:00Z", "1969-12-31T23:15:00-00:45"],
    ["Europe/Amsterdam", "1850-01-01T00:00:00Z", "1850-01-01T00:18:00+00:18"],
    ["Pacific/Kiritimati", "9999-12-31T12:00:00Z", "9999-12-31T12:00:00Z"],
  ])("%s, %s: %s", (name, instant, text) => {
    expect(formatZoned(at(instant), namedZone(name))).toBe(text);
    expect(Math.floor(at(instant) / 1000) * 1000).toBe(Date.parse(text));
  });
});
