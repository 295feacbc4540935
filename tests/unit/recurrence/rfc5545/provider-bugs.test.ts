import { describe, expect, it } from "vitest";
import type { IcalRecurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { at, expand, given, ids, local, starts } from "@/tests/unit/recurrence/rfc5545/given-series";
import { namedZone } from "@/tests/unit/time/named-zone";

const [from, to] = ["2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"];

describe("recurring events do not shift by one hour after the clocks change", () => {
  it.each(["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Santiago"])("in %s", (tzid) => {
    const series = given("20260101T090000", { tzid, rrules: ["FREQ=DAILY"] });
    const { occurrences } = expand(series, "2026-01-02T00:00:00Z", "2027-01-01T00:00:00Z");
    expect(new Set(occurrences.map((one) => one.recurrenceId % 86_400_000))).toEqual(new Set([9 * 3_600_000]));
    expect(new Set(occurrences.map((one) => one.starts % 86_400_000)).size).toBe(2);
    expect(occurrences.length).toBeGreaterThanOrEqual(363);
  });

  it("and on the weekday of the zone, where UTC has another one", () => {
    const series = given("20261207T090000", { tzid: "Pacific/Auckland", rrules: ["FREQ=WEEKLY;BYDAY=MO"] });
    expect(starts(series, from, to)).toEqual(["06", "13", "20", "27"].map((day) => `2026-12-${day}T20:00`));
  });
});

describe("all-day events stay on their days", () => {
  const days = (series: IcalRecurrence<string>) =>
    expand(series, from, to).occurrences.map(({ starts, ends }) =>
      [starts, ends].map((time) => time / 86_400_000 - 20_787),
    );

  it("from midnight to midnight, without a zone", () => {
    expect(days(given("20261201", { rrules: ["FREQ=WEEKLY;COUNT=3"] }))).toEqual([
      [1, 2],
      [8, 9],
      [15, 16],
    ]);
  });

  it("for as many days as they have", () => {
    expect(days(given("20261201", { rrules: ["FREQ=WEEKLY;COUNT=2"], duration: { days: 3, exact: 0 } }))).toEqual([
      [1, 4],
      [8, 11],
    ]);
  });

  it.each([
    ["a date", "20261203"],
    ["the day's midnight in UTC", "20261203T000000Z"],
    ["the day's end in UTC", "20261203T235959Z"],
    ["a local time", "20261203T120000"],
  ])("up to the day of UNTIL, written as %s", (_, until) => {
    expect(ids(given("20261201", { rrules: [`FREQ=DAILY;UNTIL=${until}`] }), from, to)).toHaveLength(3);
  });

  it("without the days of EXDATE, written as a date or as a time", () => {
    const series = given("20261201", {
      rrules: ["FREQ=DAILY;COUNT=5"],
      exdates: [{ text: "20261202" }, { text: "20261203T000000" }, { text: "20261204T000000Z" }],
    });
    expect(ids(series, from, to)).toEqual(["2026-12-01T00:00", "2026-12-05T00:00"]);
  });

  it("also where a zone stands beside them, which says what date an instant in UTC is", () => {
    const series = given("20261201", {
      zone: namedZone("Pacific/Auckland"),
      rrules: ["FREQ=DAILY;UNTIL=20261204T110000Z"],
      exdates: [{ text: "20261202T110000Z" }],
    });
    expect(ids(series, from, to)).toEqual(["01", "02", "04", "05"].map((day) => `2026-12-${day}T00:00`));
    expect(starts(series, from, to)).toEqual(ids(series, from, to));
  });

  it("whatever BYHOUR, BYMINUTE and BYSECOND say", () => {
    const series = given("20261201", { rrules: ["FREQ=DAILY;COUNT=2;BYHOUR=9,12;BYMINUTE=30;BYSECOND=15"] });
    expect(ids(series, from, to)).toEqual(["2026-12-01T00:00", "2026-12-02T00:00"]);
  });

  it("until the last day of an UNTIL that is a date, in a timed series too", () => {
    const series = given("20261201T230000", { tzid: "America/New_York", rrules: ["FREQ=DAILY;UNTIL=20261203"] });
    expect(ids(series, from, to)).toHaveLength(3);
  });
});

describe("cancelled and moved occurrences are not missed", () => {
  it("a sparse cancelled instance takes its occurrence away, also where its times are not those of the series", () => {
    const nowhere = at("1970-01-01T00:00:00Z");
    const cancelled = {
      recurrenceId: local("20261202T090000"),
      starts: nowhere,
      ends: nowhere,
      cancelled: true,
      fields: "",
    };
    const series = given("20261201T090000", { rrules: ["FREQ=DAILY;COUNT=3"], overrides: [cancelled] });
    expect(ids(series, from, to)).toEqual(["2026-12-01T09:00", "2026-12-03T09:00"]);
  });

  it("an occurrence moved into the window from years away is there", () => {
    const [starts, ends] = [at("2026-12-10T08:00:00Z"), at("2026-12-10T09:00:00Z")];
    const moved = { recurrenceId: local("20310602T090000"), starts, ends, fields: "" };
    const series = given("20300101T090000", { rrules: ["FREQ=DAILY"], overrides: [moved] });
    expect(ids(series, from, to)).toEqual(["2031-06-02T09:00"]);
  });
});

describe("odd rules and dates never cost more than themselves", () => {
  it("names each, and gives the rest", () => {
    const broken = { recurrenceId: Number.NaN as LocalTime, starts: at(from), ends: at(from), fields: "" };
    const backwards = { recurrenceId: local("20261202T090000"), starts: at(to), ends: at(from), fields: "" };
    const series = given("20261201T090000", {
      rrules: ["FREQ=DAILY;COUNT=3", "FREQ=NEVER", "FREQ=MONTHLY;BYMONTHDAY=99"],
      exrules: ["", "FREQ=YEARLY;BYMONTH=0"],
      rdates: [{ text: "20261220T090000,soon,20261221T090000" }, { text: "20261205T090000/20261204T090000" }],
      exdates: [{ text: "20261340" }, { text: "20261202T090000,,-" }],
      overrides: [broken, backwards],
    });
    const { occurrences, problems, exhausted } = expand(series, from, to);
    expect(occurrences.map((one) => new Date(one.recurrenceId).getUTCDate())).toEqual([1, 3, 20, 21]);
    expect({ problems, exhausted }).toEqual({
      problems: [
        "overrides[0]: not a time",
        "overrides[1]: ends before it starts",
        "rdates[0]: not a date",
        "rdates[1]: not a date",
        "exdates[0]: not a date",
        "exdates[1]: not a date",
        "exrules[0]: FREQ",
        "exrules[1]: BYMONTH",
        "rrules[1]: FREQ",
        "rrules[2]: BYMONTHDAY",
      ],
      exhausted: false,
    });
  });

  it("gives nothing, and throws nothing, for a series without a start or of negative length", () => {
    const never = given("20261201T090000", { start: Number.NaN as LocalTime, rrules: ["FREQ=DAILY"] });
    expect(expand(never, from, to)).toEqual({ occurrences: [], exhausted: false, problems: ["start: not a time"] });
    const negative = given("20261201T090000", { duration: { days: 0, exact: -5 } });
    expect(expand(negative, from, to)).toMatchObject({ occurrences: [{}], problems: ["duration: not a length"] });
    const endless = given("20261201T090000", { duration: { days: Number.NaN, exact: Number.POSITIVE_INFINITY } });
    const { occurrences, problems } = expand(endless, from, to);
    expect(problems).toEqual(["duration: not a length"]);
    expect(occurrences.map(({ starts, ends }) => ends - starts)).toEqual([0]);
  });

  it("leaves out an hourly rule of an all-day series", () => {
    const series = given("20261201", { rrules: ["FREQ=HOURLY", "FREQ=DAILY;COUNT=2"] });
    expect(expand(series, from, to)).toMatchObject({ occurrences: [{}, {}], problems: ["rrules[0]: FREQ"] });
  });
});
