import { describe, expect, it } from "vitest";
import { fits, isRuleDay, lastRuleDay, misfits, ruleDays } from "@/server/domain/recurrence/days";
import { dates, day, rule } from "@/tests/unit/recurrence/given";

const whole = { from: day("0001-01-01"), to: day("9999-12-31") };

describe("the days of a rule", () => {
  it.each([
    ["daily count=3", "2026-02-27", "2026-02-27 2026-02-28 2026-03-01"],
    ["daily 10 until=2026-12-21", "2026-12-01", "2026-12-01 2026-12-11 2026-12-21"],
    ["daily until=2026-12-01", "2026-12-01", "2026-12-01"],
    ["weekly count=3", "2026-11-21", "2026-11-21 2026-11-28 2026-12-05"],
    ["weekly tue,thu count=5", "2026-11-19", "2026-11-19 2026-11-24 2026-11-26 2026-12-01 2026-12-03"],
    ["weekly 2 tue,sun count=4", "2026-11-22", "2026-11-22 2026-12-01 2026-12-06 2026-12-15"],
    ["weekly 2 mon,mon count=3", "2026-11-23", "2026-11-23 2026-12-07 2026-12-21"],
    ["monthly count=3", "2026-12-28", "2026-12-28 2027-01-28 2027-02-28"],
    ["monthly 5 until=2027-09-15", "2026-11-15", "2026-11-15 2027-04-15 2027-09-15"],
    ["monthly 1mon count=3", "2026-12-07", "2026-12-07 2027-01-04 2027-02-01"],
    ["monthly -1fri count=3", "2027-01-29", "2027-01-29 2027-02-26 2027-03-26"],
    ["monthly 2wed,-1wed count=4", "2026-11-25", "2026-11-25 2026-12-09 2026-12-30 2027-01-13"],
    // February 2027 has four Mondays only: its fourth is its last.
    ["monthly 4mon,-1mon count=5", "2027-01-25", "2027-01-25 2027-02-22 2027-03-22 2027-03-29 2027-04-26"],
    ["yearly count=3", "2027-03-01", "2027-03-01 2028-03-01 2029-03-01"],
    ["yearly 99 count=2", "2026-12-31", "2026-12-31 2125-12-31"],
  ])("%s from %s: %s", (short, first, expected) => {
    const days = expected.split(" ");
    expect(dates(ruleDays(rule(short), day(first), whole))).toEqual(days);
    expect(lastRuleDay(rule(short), day(first))).toBe(day(days.at(-1) ?? ""));
    expect(days.every((one) => isRuleDay(rule(short), day(first), day(one)))).toBe(true);
    expect(fits(rule(short), day(first))).toBe(true);
  });

  it("with neither count nor until never end", () => {
    expect(lastRuleDay(rule("daily"), day("2026-11-21"))).toBeNull();
    expect(
      dates(ruleDays(rule("yearly"), day("2026-11-21"), { from: day("9998-01-01"), to: day("9999-12-31") })),
    ).toEqual(["9998-11-21", "9999-11-21"]);
  });

  it("begin with the first occurrence and lie before the range's end", () => {
    const range = { from: day("2026-11-01"), to: day("2026-11-23") };
    expect(dates(ruleDays(rule("daily"), day("2026-11-21"), range))).toEqual(["2026-11-21", "2026-11-22"]);
    expect(ruleDays(rule("daily"), day("2026-11-23"), range)).toEqual([]);
    expect(ruleDays(rule("daily until=2026-10-01"), day("2026-01-01"), range)).toEqual([]);
    expect(isRuleDay(rule("daily"), day("2026-11-21"), day("2026-11-20"))).toBe(false);
  });

  it.each([
    ["daily 99 count=730", "2026-01-01", "2223-08-08"],
    ["weekly 99 mon,wed count=730", "2026-11-23", "2717-07-18"],
    ["monthly 1 4mon,-1mon count=730", "2026-11-23", "2071-11-30"],
  ])("%s from %s end on %s", (short, first, last) => {
    const all = ruleDays(rule(short), day(first), whole);
    expect(all).toHaveLength(730);
    expect(dates(all.slice(-1))).toEqual([last]);
    expect(lastRuleDay(rule(short), day(first))).toBe(day(last));
  });

  it("that a count leads past the year 9999 have no last one", () => {
    expect(lastRuleDay(rule("yearly 99 count=730"), day("2026-11-21"))).toBeNull();
    expect(ruleDays(rule("yearly 99 count=730"), day("2026-11-21"), whole)).toHaveLength(81);
  });

  it("are found without walking there", () => {
    // Day by day this takes minutes, far over the time that a test has.
    let last: readonly unknown[] = [];
    for (let i = 0; i < 10_000; i++) {
      ruleDays(rule("weekly tue count=730"), day("0002-01-01"), { from: day("9000-01-01"), to: day("9000-02-01") });
      last = ruleDays(rule("daily"), day("0002-01-01"), { from: day("9000-01-01"), to: day("9000-01-08") });
    }
    expect(last).toHaveLength(7);
  });
});

describe("a start that is not an occurrence of the rule", () => {
  it.each([
    ["weekly mon,wed", "2026-11-24", ["by_day"]],
    ["monthly 1mon", "2026-12-14", ["by_day"]],
    ["monthly -1mon", "2026-12-21", ["by_day"]],
    ["monthly", "2026-12-29", ["frequency"]],
    ["monthly", "2026-12-31", ["frequency"]],
    ["yearly", "2028-02-29", ["frequency"]],
    ["daily until=2026-11-20", "2026-11-21", ["until"]],
    ["weekly mon until=2026-11-20", "2026-11-24", ["by_day", "until"]],
    ["monthly", "2026-12-28", []],
    ["monthly -1thu", "2026-12-31", []],
    ["yearly", "2028-02-28", []],
    ["daily", "2028-02-29", []],
  ])("%s from %s: %j", (short, first, fields) => {
    expect(misfits(rule(short), day(first))).toEqual(fields);
    expect(fits(rule(short), day(first))).toBe(fields.length === 0);
  });
});
