import { describe, expect, it } from "vitest";
import { compatIssue } from "@/server/domain/compat";
import { fieldName } from "@/server/domain/issues";
import { checkSeries, type SeriesToCheck } from "@/server/domain/recurrence/check-series";
import type { SentExceptions } from "@/server/domain/recurrence/exceptions";
import { allDay, at, day, timed } from "@/tests/unit/recurrence/given";

const none: SentExceptions = { add: null, change: null };

function found(series: SeriesToCheck): string[] {
  return checkSeries(series).map(({ key, path }) => `${key} ${fieldName(path)}`);
}

/** A series that begins at ten o'clock in Berlin. */
function berlin(rule: string, date: string, exceptions = none): SeriesToCheck {
  return { ...timed(rule, [`${date}T09:00:00Z`, `${date}T10:00:00Z`], "Europe/Berlin"), exceptions };
}

describe("a series", () => {
  it.each([
    ["weekly mon,wed", "2026-11-24", "recurrence.rules[0].by_day"],
    ["monthly 1mon", "2026-11-09", "recurrence.rules[0].by_day"],
    ["monthly", "2026-12-29", "recurrence.rules[0].frequency"],
    ["yearly", "2028-02-29", "recurrence.rules[0].frequency"],
    ["daily until=2026-11-20", "2026-11-21", "recurrence.rules[0].until"],
  ])("%s from %s is refused: errors.invalid on %s", (rule, date, field) => {
    expect(found(berlin(rule, date))).toEqual([`errors.invalid ${field}`]);
    const { rule: read } = berlin(rule, date);
    expect(found({ ...allDay(rule, [date, date]), rule: read, exceptions: none })).toEqual([`errors.invalid ${field}`]);
  });

  it("whose start is its first occurrence is accepted", () => {
    expect(found(berlin("weekly mon,tue", "2026-11-24"))).toEqual([]);
    expect(found(berlin("daily until=2026-11-21", "2026-11-21"))).toEqual([]);
  });

  it("begins on the start's day in its own time zone", () => {
    const monday = timed("weekly mon", ["2026-11-22T23:30:00Z", "2026-11-22T23:45:00Z"], "Europe/Berlin");
    expect(found({ ...monday, exceptions: none })).toEqual([]);
  });

  it("that is timed needs a tzid, also where its rule could not be read", () => {
    const series = { ...berlin("daily", "2026-11-21"), zone: null };
    expect(found(series)).toEqual(["errors.invalid tzid"]);
    expect(found({ ...series, rule: null })).toEqual(["errors.invalid tzid"]);
    expect(checkSeries(series).map(compatIssue)[0]?.key).toBe("errors.tzid_unrecognized");
    expect(found({ ...allDay("daily", ["2026-11-21", "2026-11-22"]), exceptions: none })).toEqual([]);
  });

  it("without a start that could be read is passed over", () => {
    expect(found({ ...berlin("weekly mon", "2026-11-24"), first: null })).toEqual([]);
  });

  it("refuses a sent exception on a day that it does not have", () => {
    const days = ["2026-11-25", "2026-11-26", "2026-12-24"].map((date, index) => ({ index, day: day(date) }));
    const change = [{ index: 1, day: day("2026-11-23"), span: null, texts: {} }];
    expect(found(berlin("weekly wed,thu until=2026-12-23", "2026-11-25", { add: days, change }))).toEqual([
      "errors.invalid recurrence.exceptions.add[2].date",
      "errors.invalid recurrence.exceptions.change[1].date",
    ]);
  });

  it("has changed times when it is timed, and dates when it is all-day", () => {
    const span = { starts: at("2026-11-21T00:00:00Z"), ends: at("2026-11-22T00:00:00Z") };
    const change = (isAllDay: boolean) => [
      { index: 0, day: day("2026-11-21"), span: { allDay: isAllDay, ...span }, texts: {} },
    ];
    const wrong = ["start", "end"].map((side) => `errors.invalid recurrence.exceptions.change[0].${side}`);
    expect(found(berlin("daily", "2026-11-21", { add: null, change: change(true) }))).toEqual(wrong);
    expect(found(berlin("daily", "2026-11-21", { add: null, change: change(false) }))).toEqual([]);
    const wholeDays = allDay("daily", ["2026-11-21", "2026-11-22"]);
    expect(found({ ...wholeDays, exceptions: { add: null, change: change(false) } })).toEqual(wrong);
  });
});
