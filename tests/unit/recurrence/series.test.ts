import { describe, expect, it } from "vitest";
import { type Change, keepExceptions, mergeExceptions } from "@/server/domain/recurrence/exceptions";
import { MOST_OCCURRENCES, type Series, seriesOccurrences } from "@/server/domain/recurrence/series";
import { formatInstant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { allDay, at, dates, day, rule, timed } from "@/tests/unit/recurrence/given";

const always = { from: "0001-01-02T00:00:00Z", to: "2100-01-01T00:00:00Z" };

function starts(series: Series, range = always): string[] {
  const found = seriesOccurrences(series, { from: at(range.from), to: at(range.to) });
  return found.map((one) => formatInstant(one.starts));
}

describe("a timed series", () => {
  it("repeats at the same local time all year", () => {
    const series = timed("weekly 24 count=3", ["2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z"], "Europe/Berlin");
    expect(starts(series)).toEqual(["2026-03-02T08:00:00Z", "2026-08-17T07:00:00Z", "2027-02-01T08:00:00Z"]);
  });

  it.each([
    // 02:30 does not exist on 28 March 2027 and exists twice on 31 October 2027.
    ["Europe/Berlin", "2027-03-27T01:30:00Z", ["2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"]],
    ["Europe/Berlin", "2027-10-30T00:30:00Z", ["2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z"]],
    ["Australia/Lord_Howe", "2026-10-02T15:45:00Z", ["2026-10-03T15:45:00Z", "2026-10-04T15:15:00Z"]],
    // Apia had no 30 December 2011: its occurrence is a day later, beside the next one.
    ["Pacific/Apia", "2011-12-29T19:00:00Z", ["2011-12-30T19:00:00Z", "2011-12-30T19:00:00Z"]],
    ["Pacific/Kiritimati", "1994-12-30T22:00:00Z", ["1994-12-31T22:00:00Z", "1994-12-31T22:00:00Z"]],
  ])("in %s from %s: in a gap it shifts forward and counts, in an overlap it is the first", (tzid, first, next) => {
    const series = timed("daily count=3", [first, first], tzid);
    expect(starts(series)).toEqual([first, ...next]);
  });

  it("begins where it was sent, also in the second half of an overlap", () => {
    const series = timed("yearly count=1", ["2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"], "Europe/Berlin");
    expect(starts(series)).toEqual(["2026-10-25T01:30:00Z"]);
  });

  it("lasts as long as its first occurrence, over a change of the clocks too", () => {
    const series = timed("daily count=2", ["2027-03-26T22:00:00Z", "2027-03-27T05:00:00Z"], "Europe/Berlin");
    const found = seriesOccurrences(series, { from: at(always.from), to: at(always.to) });
    expect(found.map(({ ends }) => formatInstant(ends))).toEqual(["2027-03-27T05:00:00Z", "2027-03-28T05:00:00Z"]);
  });

  it("names its days in its own time zone", () => {
    const series = timed("daily count=2", ["2026-11-21T23:30:00Z", "2026-11-22T00:30:00Z"], "Pacific/Auckland");
    const found = seriesOccurrences(series, { from: at(always.from), to: at(always.to) });
    expect(dates(found.map((one) => one.day))).toEqual(["2026-11-22", "2026-11-23"]);
  });

  it("has until inclusive in the event's time zone", () => {
    const span: [string, string] = ["2026-11-21T05:00:00Z", "2026-11-21T06:00:00Z"];
    // 22:00 on the 20th in Denver: the 22nd there is the 23rd in UTC.
    expect(starts(timed("daily until=2026-11-22", span, "America/Denver"))).toHaveLength(3);
    expect(starts(timed("daily until=2026-11-22", span, "Etc/UTC"))).toHaveLength(2);
  });
});

describe("an all-day series", () => {
  it("lasts the same number of days", () => {
    const found = seriesOccurrences(allDay("monthly count=2", ["2026-11-27", "2026-11-29"]), {
      from: at(always.from),
      to: at(always.to),
    });
    const expected = ["2026-11-27", "2026-12-27"].map((first, i) => ({
      day: day(first),
      allDay: true,
      starts: utcMidnight(day(first)),
      ends: utcMidnight(day(["2026-11-29", "2026-12-29"][i] ?? "")),
      changes: null,
    }));
    expect(found).toEqual(expected);
  });
});

describe("a range", () => {
  const series = timed("daily", ["2026-01-01T10:00:00Z", "2026-01-01T12:00:00Z"], "Etc/UTC");

  it.each([
    ["2026-05-01T10:00:00Z", "2026-05-02T10:00:00Z", ["2026-05-01T10:00:00Z"]],
    ["2026-05-01T11:59:59Z", "2026-05-01T12:00:00Z", ["2026-05-01T10:00:00Z"]],
    ["2026-05-01T12:00:00Z", "2026-05-02T10:00:01Z", ["2026-05-02T10:00:00Z"]],
    ["2026-05-01T12:00:00Z", "2026-05-02T10:00:00Z", []],
    ["2025-01-01T00:00:00Z", "2026-01-01T10:00:00Z", []],
  ])("from %s to before %s has what overlaps it: %j", (from, to, expected) => {
    expect(starts(series, { from, to })).toEqual(expected);
  });

  it("has an occurrence of no length where it starts", () => {
    const moment = timed("daily", ["2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z"], "Etc/UTC");
    expect(starts(moment, { from: "2026-05-01T10:00:00Z", to: "2026-05-01T10:00:01Z" })).toHaveLength(1);
    expect(starts(moment, { from: "2026-05-01T10:00:01Z", to: "2026-05-02T10:00:00Z" })).toHaveLength(0);
  });

  it("has occurrences that began long before it", () => {
    const long = timed("weekly", ["2020-01-01T10:00:00Z", "2020-02-01T10:00:00Z"], "Etc/UTC");
    const wednesdays = ["04-29", "05-06", "05-13", "05-20", "05-27"].map((date) => `2026-${date}T10:00:00Z`);
    expect(starts(long, { from: "2026-05-30T00:00:00Z", to: "2026-05-31T00:00:00Z" })).toEqual(wednesdays);
  });

  it("has no more occurrences of one series than 5,000, the latest", () => {
    const endless = timed("daily", ["1900-01-01T10:00:00Z", "5000-01-01T10:00:00Z"], "Etc/UTC");
    const found = starts(endless, { from: "2026-05-01T00:00:00Z", to: "2026-05-02T00:00:00Z" });
    expect(found.length).toBeGreaterThan(MOST_OCCURRENCES - 10);
    expect(found.length).toBeLessThanOrEqual(MOST_OCCURRENCES);
    expect(found.at(-1)).toBe("2026-05-01T10:00:00Z");
  });
});

describe("exceptions", () => {
  const base = timed("daily count=5", ["2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"], "Etc/UTC");
  const moved = (on: string, to: string): Change => ({
    day: day(on),
    span: { allDay: false, starts: at(to), ends: at(to) },
    texts: {},
  });

  it("skip days", () => {
    const series = { ...base, skipped: [day("2026-11-21"), day("2026-11-23")] };
    expect(starts(series)).toEqual(["2026-11-22T10:00:00Z", "2026-11-24T10:00:00Z", "2026-11-25T10:00:00Z"]);
  });

  it("change what an occurrence says and leave its time the series' own", () => {
    const texts = { summary: "Elsewhere", location: "" };
    const series = { ...base, changed: [{ day: day("2026-11-23"), span: null, texts }] };
    const found = seriesOccurrences(series, { from: at("2026-11-22T00:00:00Z"), to: at("2026-11-25T00:00:00Z") });
    expect(found.map(({ changes }) => changes)).toEqual([null, texts, null]);
    expect(found.map(({ starts }) => formatInstant(starts))[1]).toBe("2026-11-23T10:00:00Z");
  });

  it("move an occurrence into a range and out of it; its original day stays", () => {
    const series = { ...base, changed: [moved("2026-11-21", "2027-02-01T08:00:00Z")] };
    expect(starts(series, { from: "2026-11-21T00:00:00Z", to: "2026-11-22T00:00:00Z" })).toEqual([]);
    const [found] = seriesOccurrences(series, { from: at("2027-01-01T00:00:00Z"), to: at("2027-03-01T00:00:00Z") });
    expect(found).toEqual({
      day: day("2026-11-21"),
      allDay: false,
      starts: at("2027-02-01T08:00:00Z"),
      ends: at("2027-02-01T08:00:00Z"),
      changes: null,
    });
  });

  it("on days that the rule does not have are no occurrences", () => {
    expect(starts({ ...base, changed: [moved("2026-12-21", "2026-11-22T08:00:00Z")] })).toEqual(starts(base));
  });

  it("come in the order of their original days", () => {
    const series = { ...base, changed: [moved("2026-11-25", "2026-11-20T08:00:00Z")] };
    const found = seriesOccurrences(series, { from: at(always.from), to: at(always.to) });
    expect(dates(found.map((one) => one.day))).toEqual([
      "2026-11-21",
      "2026-11-22",
      "2026-11-23",
      "2026-11-24",
      "2026-11-25",
    ]);
  });
});

describe("rewriting", () => {
  const change = (on: string, texts = { summary: "other" }): Change => ({ day: day(on), span: null, texts });
  const kept = {
    skipped: [day("2026-11-23"), day("2026-11-24")],
    changed: [change("2026-11-25"), change("2026-11-26")],
  };

  it("with exceptions left out keeps both lists", () => {
    expect(mergeExceptions(kept, { add: null, change: null })).toEqual(kept);
  });

  it("replaces the list that was sent, and takes its days out of the other", () => {
    expect(mergeExceptions(kept, { add: [{ index: 0, day: day("2026-11-25") }], change: null })).toEqual({
      skipped: [day("2026-11-25")],
      changed: [change("2026-11-26")],
    });
    const restored = { index: 0, ...change("2026-11-24") };
    expect(mergeExceptions(kept, { add: null, change: [restored] })).toEqual({
      skipped: [day("2026-11-23")],
      changed: [change("2026-11-24")],
    });
    expect(mergeExceptions(kept, { add: [], change: [] })).toEqual({ skipped: [], changed: [] });
  });

  it("does not store a change that says nothing", () => {
    const empty = { index: 0, day: day("2026-11-24"), span: null, texts: {} };
    expect(mergeExceptions(kept, { add: [], change: [empty] }).changed).toEqual([]);
  });

  const timed = { allDay: false, was: false };

  it("drops exceptions on days that the new rule no longer has", () => {
    const found = keepExceptions(kept, { rule: rule("weekly tue,thu"), first: day("2026-11-24"), ...timed });
    expect(found).toEqual({ skipped: [day("2026-11-24")], changed: [change("2026-11-26")] });
  });

  it("drops changed times of a series that became all-day, and keeps its changed texts", () => {
    const span = { allDay: false, starts: at("2026-11-25T10:00:00Z"), ends: at("2026-11-25T11:00:00Z") };
    const changed = [
      { ...change("2026-11-25"), span },
      { day: day("2026-11-26"), span, texts: {} },
    ];
    const found = keepExceptions(
      { skipped: [], changed },
      { rule: rule("daily"), first: day("2026-11-20"), allDay: true, was: false },
    );
    expect(found.changed).toEqual([change("2026-11-25")]);
  });

  it("keeps a day that others gave times of another kind than the series has", () => {
    const span = { allDay: true, starts: at("2026-11-25T00:00:00Z"), ends: at("2026-11-26T00:00:00Z") };
    const changed = [{ day: day("2026-11-25"), span, texts: {} }];
    const found = keepExceptions({ skipped: [], changed }, { rule: rule("daily"), first: day("2026-11-20"), ...timed });
    expect(found.changed).toEqual(changed);
  });
});
