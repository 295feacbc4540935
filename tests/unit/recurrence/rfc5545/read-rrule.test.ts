import { describe, expect, it } from "vitest";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { readDuration } from "@/server/domain/recurrence/rfc5545/duration";
import { readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";

const nothing = {
  interval: 1,
  count: null,
  until: null,
  bySecond: [],
  byMinute: [],
  byHour: [],
  byDay: [],
  byMonthDay: [],
  byYearDay: [],
  byWeekNo: [],
  byMonth: [],
  bySetPos: [],
  weekStart: 0,
};

describe("reading an RRULE", () => {
  it("takes every part of RFC 5545", () => {
    const text =
      "FREQ=YEARLY;INTERVAL=2;COUNT=7;BYSECOND=0,30;BYMINUTE=5;BYHOUR=9,8;BYDAY=+1MO,-2TU,WE;BYMONTHDAY=-1,+15;" +
      "BYYEARDAY=-366,366;BYWEEKNO=53,-1;BYMONTH=12,1;BYSETPOS=-1,1;WKST=SU";
    expect(readRrule(text)).toEqual({
      freq: "YEARLY",
      interval: 2,
      count: 7,
      until: null,
      bySecond: [0, 30],
      byMinute: [5],
      byHour: [8, 9],
      byDay: [
        { weekday: 0, nth: 1 },
        { weekday: 1, nth: -2 },
        { weekday: 2, nth: null },
      ],
      byMonthDay: [-1, 15],
      byYearDay: [-366, 366],
      byWeekNo: [-1, 53],
      byMonth: [1, 12],
      bySetPos: [-1, 1],
      weekStart: 6,
    });
  });

  it.each([
    ["the property's name before it", "RRULE:FREQ=DAILY"],
    ["lower case", "freq=daily"],
    ["a semicolon at the end", "FREQ=DAILY;"],
    ["spaces and folds", " FREQ = DAILY ; \r\n INTERVAL = 1 "],
    ["parts in any order", "INTERVAL=1;FREQ=DAILY"],
    ["empty parts", "FREQ=DAILY;BYDAY=;COUNT=;UNTIL="],
    ["parts of others", "FREQ=DAILY;X-NAME=1;BYEASTER=0"],
    ["RFC 7529 where it changes nothing", "RSCALE=GREGORIAN;FREQ=DAILY;SKIP=OMIT"],
  ])("takes %s", (_, text) => {
    expect(readRrule(text)).toEqual({ ...nothing, freq: "DAILY" });
  });

  it("takes stray commas, repeated values and the leap second, which is the 59th", () => {
    expect(readRrule("FREQ=DAILY;BYDAY=MO,,TU,MO,;BYSECOND=60,59,60")).toMatchObject({
      byDay: [
        { weekday: 0, nth: null },
        { weekday: 1, nth: null },
      ],
      bySecond: [59],
    });
  });

  it.each([
    ["a date", "20261231", { kind: "date", day: 20_818 }],
    ["an instant", "20261231T235959Z", { kind: "utc", at: Date.UTC(2026, 11, 31, 23, 59, 59) }],
    ["a local time", "20261231T235959", { kind: "local", local: Date.UTC(2026, 11, 31, 23, 59, 59) }],
    ["ISO 8601", "2026-12-31t23:59:59.000z", { kind: "utc", at: Date.UTC(2026, 11, 31, 23, 59, 59) }],
    ["a leap second", "20261231T235960Z", { kind: "utc", at: Date.UTC(2026, 11, 31, 23, 59, 59) }],
  ])("takes %s as UNTIL", (_, text, until) => {
    expect(readRrule(`FREQ=DAILY;UNTIL=${text}`)).toMatchObject({ until });
  });

  it.each([
    ["", "FREQ"],
    ["nonsense", "FREQ"],
    ["INTERVAL=2", "FREQ"],
    ["FREQ=FORTNIGHTLY", "FREQ"],
    ["FREQ=DAILY;FREQ=WEEKLY", "FREQ"],
    ["FREQ=DAILY=WEEKLY", "FREQ"],
    ["FREQ=DAILY;INTERVAL=0", "INTERVAL"],
    ["FREQ=DAILY;INTERVAL=-1", "INTERVAL"],
    ["FREQ=DAILY;COUNT=0", "COUNT"],
    ["FREQ=DAILY;COUNT=9999999999", "COUNT"],
    ["FREQ=DAILY;COUNT=ten", "COUNT"],
    ["FREQ=DAILY;UNTIL=20260230", "UNTIL"],
    ["FREQ=DAILY;UNTIL=20261231T250000Z", "UNTIL"],
    ["FREQ=DAILY;BYDAY=XX", "BYDAY"],
    ["FREQ=MONTHLY;BYDAY=0MO", "BYDAY"],
    ["FREQ=YEARLY;BYDAY=54MO", "BYDAY"],
    ["FREQ=YEARLY;BYDAY=-MO", "BYDAY"],
    ["FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"],
    ["FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"],
    ["FREQ=YEARLY;BYYEARDAY=367", "BYYEARDAY"],
    ["FREQ=YEARLY;BYWEEKNO=54", "BYWEEKNO"],
    ["FREQ=YEARLY;BYMONTH=13", "BYMONTH"],
    ["FREQ=YEARLY;BYMONTH=5L", "BYMONTH"],
    ["FREQ=DAILY;BYHOUR=24", "BYHOUR"],
    ["FREQ=DAILY;BYMINUTE=60", "BYMINUTE"],
    ["FREQ=DAILY;BYSECOND=61", "BYSECOND"],
    ["FREQ=DAILY;BYSETPOS=0", "BYSETPOS"],
    ["FREQ=DAILY;WKST=1", "WKST"],
    ["FREQ=DAILY;RSCALE=HEBREW", "RSCALE"],
    ["RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD", "SKIP"],
    [`FREQ=DAILY;BYDAY=${"MO,".repeat(2_000)}`, "length"],
  ])("names what is wrong in %s", (text, problem) => {
    expect(readRrule(text)).toEqual({ problem });
  });
});

describe("reading a DATE, a DATE-TIME and a DURATION", () => {
  it.each(["", "2026", "20261301", "20260229", "20260101T", "20260101T0900+0100", "x20260101", "0".repeat(100)])(
    "gives nothing for %s",
    (text) => {
      expect(readDateValue(text)).toBeNull();
    },
  );

  it("takes a time without seconds", () => {
    expect(readDateValue("20260101T0900")).toEqual({ kind: "local", local: Date.UTC(2026, 0, 1, 9) });
  });

  it.each([
    ["P15DT5H0M20S", { days: 15, exact: 18_020_000 }],
    ["P7W", { days: 49, exact: 0 }],
    ["pt1h30m", { days: 0, exact: 5_400_000 }],
    ["PT0S", { days: 0, exact: 0 }],
    ["-PT1H", null],
    ["P", null],
    ["PT", null],
    ["P1DT", null],
    ["1H", null],
  ])("reads %s", (text, duration) => {
    expect(readDuration(text)).toEqual(duration);
  });
});
