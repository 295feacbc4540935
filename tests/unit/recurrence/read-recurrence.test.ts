import { describe, expect, it } from "vitest";
import { fieldName, type Issue } from "@/server/domain/issues";
import { readRecurrence } from "@/server/domain/recurrence/read-recurrence";
import { day } from "@/tests/unit/recurrence/given";

const rules = (...list: unknown[]) => ({ rules: list });
const daily = { frequency: "daily" };
const weekly = (...by_day: unknown[]) => rules({ frequency: "weekly", by_day });
const monthly = (...by_day: unknown[]) => rules({ frequency: "monthly", by_day });
const except = (exceptions: unknown) => ({ rules: [daily], exceptions });
const changing = (...change: unknown[]) => except({ change });
const dates = (n: number) => Array.from({ length: n }, (_, i) => ({ date: `20${10 + i}-01-01` }));

function fields(issues: Issue[]): string[] {
  return issues.map(({ key, path }) => `${key.replace("errors.", "")} ${fieldName(path).replace("recurrence", "~")}`);
}

describe("recurrence", () => {
  it.each<[unknown, ...string[]]>([
    ["daily", "invalid_format ~"],
    [[daily], "invalid_format ~"],
    [7, "invalid_format ~"],
    [{}, "required ~.rules"],
    [{ rules: daily }, "invalid_type ~.rules"],
    [{ rules: null }, "invalid_type ~.rules"],
    [rules(), "too_small ~.rules"],
    [rules(daily, daily), "max_recurrence_rules_exceeded ~.rules"],
    [rules("daily"), "invalid_format ~.rules[0]"],
    [rules({}), "required ~.rules[0].frequency"],
    [rules({ frequency: "hourly" }), "not_recognized ~.rules[0].frequency"],
    [rules({ frequency: "DAILY" }), "not_recognized ~.rules[0].frequency"],
    [rules({ frequency: 1 }), "not_recognized ~.rules[0].frequency"],
    ...[0, -1, 1.5, "2", null, true].map((n): [unknown, string] => [
      rules({ ...daily, interval: n }),
      "must_be_integer_greater_than_zero ~.rules[0].interval",
    ]),
    [rules({ ...daily, count: 0 }), "must_be_integer_greater_than_zero ~.rules[0].count"],
    [rules({ ...daily, interval: 100 }), "too_big ~.rules[0].interval"],
    [rules({ ...daily, count: 731 }), "too_big ~.rules[0].count"],
    ...["2026-02-30", "20261121", "2026-11-21T10:00:00Z", 20261121, null].map((until): [unknown, string] => [
      rules({ ...daily, until }),
      "must_be_date ~.rules[0].until",
    ]),
    [rules({ ...daily, until: "2026-12-01", count: 3 }), "not_supported_count_until_combination ~.rules[0].until"],
    ...["by_month_day", "by_month", "by_set_pos", "week_start", "__proto__"].map((name): [unknown, string] => [
      JSON.parse(`{ "rules": [{ "frequency": "daily", "${name}": [] }] }`),
      `not_supported ~.rules[0].${name}`,
    ]),
    [weekly("tuesday"), "invalid_format ~.rules[0].by_day[0]"],
    [weekly(), "too_small ~.rules[0].by_day"],
    [rules({ frequency: "weekly", by_day: "tuesday" }), "invalid_type ~.rules[0].by_day"],
    [weekly({}), "required ~.rules[0].by_day[0].day"],
    [weekly({ day: "monday" }, { day: "tue" }), "invalid_value ~.rules[0].by_day[1].day"],
    [weekly({ day: "Monday" }), "invalid_value ~.rules[0].by_day[0].day"],
    [weekly({ day: "monday", week: 1 }), "not_supported ~.rules[0].by_day[0].week"],
    [weekly({ day: "monday", nth_of_period: 1 }), "invalid ~.rules[0].by_day"],
    [weekly(...Array(36).fill({ day: "monday" })), "too_big ~.rules[0].by_day"],
    [monthly({ day: "monday" }), "invalid ~.rules[0].by_day"],
    ...[0, 5, -2, "1", null].map((nth): [unknown, string] => [
      monthly({ day: "monday", nth_of_period: nth }),
      "invalid_value ~.rules[0].by_day[0].nth_of_period",
    ]),
    [rules({ ...daily, by_day: [{ day: "monday" }] }), "invalid ~.rules[0].by_day"],
    [rules({ frequency: "yearly", by_day: [{ day: "monday", nth_of_period: 1 }] }), "invalid ~.rules[0].by_day"],
    [except([]), "invalid_format ~.exceptions"],
    [except(null), "invalid_format ~.exceptions"],
    [except({ remove: [] }), "not_supported ~.exceptions.remove"],
    [except({ add: {} }), "invalid_type ~.exceptions.add"],
    [except({ add: ["2026-11-21"] }), "invalid_format ~.exceptions.add[0]"],
    [except({ add: [{}] }), "required ~.exceptions.add[0].date"],
    [except({ add: [{ date: "2026-02-30" }] }), "invalid ~.exceptions.add[0].date"],
    [except({ add: [{ date: "2026-11-21" }, { date: "2026-11-21" }] }), "invalid ~.exceptions.add[1].date"],
    [
      except({ change: [{ date: "2026-11-21" }], add: [{ date: "2026-11-21" }] }),
      "invalid ~.exceptions.change[0].date",
    ],
    [except({ add: dates(65) }), "too_big ~.exceptions.add"],
    [except({ change: dates(65) }), "too_big ~.exceptions.change"],
    [changing({ date: "2026-11-21", start: "2026-11-21" }), "required ~.exceptions.change[0].end"],
    [changing({ date: "2026-11-21", end: "2026-11-21" }), "required ~.exceptions.change[0].start"],
    [
      changing({ date: "2026-11-21", start: "ten", end: 10 }),
      "invalid ~.exceptions.change[0].start",
      "invalid_type ~.exceptions.change[0].end",
    ],
    [changing({ date: "2026-11-21", start: "2026-11-21", end: "2026-11-20" }), "invalid ~.exceptions.change[0].end"],
    [
      changing({ date: "2026-11-21", start: "2026-11-21", end: "2026-11-21T10:00:00Z" }),
      "invalid ~.exceptions.change[0].end",
    ],
    [
      changing({ date: "2026-11-21", start: { time: "2026-11-21T10:00:00" }, end: { time: 1, tzid: "Nowhere" } }),
      "required ~.exceptions.change[0].start.tzid",
      "invalid ~.exceptions.change[0].end.tzid",
      "invalid_type ~.exceptions.change[0].end.time",
    ],
    [changing({ date: "2026-11-21", summary: 1 }), "invalid_type ~.exceptions.change[0].summary"],
    [changing({ date: "2026-11-21", summary: "x".repeat(2_001) }), "too_big ~.exceptions.change[0].summary"],
    [changing({ date: "2026-11-21", description: "x".repeat(50_001) }), "too_big ~.exceptions.change[0].description"],
    [changing({ date: "2026-11-21", location: "here" }), "invalid_type ~.exceptions.change[0].location"],
    [
      changing({ date: "2026-11-21", location: { description: "x".repeat(2_001) } }),
      "too_big ~.exceptions.change[0].location.description",
    ],
  ])("%j is refused: %s", (raw, ...expected) => {
    expect(fields(readRecurrence(raw).issues)).toEqual(expected);
  });

  it("reports all mistakes at once", () => {
    const { recurrence, issues } = readRecurrence({
      rules: [
        { frequency: "never", interval: 0, count: 731, until: "soon", by_month: 3, by_day: [7, { day: "noday" }] },
        {},
      ],
      exceptions: { add: [{ date: "never" }], skip: [], change: [{ start: "2026-11-21" }] },
    });
    expect(recurrence.kind).toBe("faulty");
    expect(fields(issues)).toEqual([
      "max_recurrence_rules_exceeded ~.rules",
      "not_supported ~.rules[0].by_month",
      "not_recognized ~.rules[0].frequency",
      "must_be_integer_greater_than_zero ~.rules[0].interval",
      "too_big ~.rules[0].count",
      "must_be_date ~.rules[0].until",
      "not_supported_count_until_combination ~.rules[0].until",
      "invalid_format ~.rules[0].by_day[0]",
      "invalid_value ~.rules[0].by_day[1].day",
      "not_supported ~.exceptions.skip",
      "invalid ~.exceptions.add[0].date",
      "required ~.exceptions.change[0].date",
      "required ~.exceptions.change[0].end",
    ]);
    expect(issues[1]?.description).toContain("recurrence.rules[0].by_month");
  });

  it("left out keeps the repetition, null makes the event single again", () => {
    expect(readRecurrence(undefined)).toEqual({ recurrence: { kind: "keep" }, issues: [] });
    expect(readRecurrence(null)).toEqual({ recurrence: { kind: "single" }, issues: [] });
  });

  it.each([
    [daily, { frequency: "daily", interval: 1, count: null, until: null, byDay: [] }, daily],
    [
      { ...daily, interval: 1, count: 730 },
      { frequency: "daily", interval: 1, count: 730, until: null, byDay: [] },
      { ...daily, count: 730 },
    ],
    [
      { frequency: "weekly", interval: 99, until: "2027-01-31", by_day: [{ day: "tuesday" }, { day: "sunday" }] },
      {
        frequency: "weekly",
        interval: 99,
        count: null,
        until: day("2027-01-31"),
        byDay: [
          { weekday: 1, nth: null },
          { weekday: 6, nth: null },
        ],
      },
      { frequency: "weekly", interval: 99, until: "2027-01-31", by_day: [{ day: "tuesday" }, { day: "sunday" }] },
    ],
    [
      { frequency: "monthly", by_day: [{ day: "monday", nth_of_period: -1 }] },
      { frequency: "monthly", interval: 1, count: null, until: null, byDay: [{ weekday: 0, nth: -1 }] },
      { frequency: "monthly", by_day: [{ day: "monday", nth_of_period: -1 }] },
    ],
  ])("%j is read, and returned as sent with interval left out when 1", (sent, read, returned) => {
    expect(readRecurrence(rules(sent))).toEqual({
      recurrence: { kind: "series", rule: read, sent: rules(returned), exceptions: { add: null, change: null } },
      issues: [],
    });
  });

  it("reads up to 64 skipped days and 64 changes, and ignores what the API does not have", () => {
    const change = {
      date: "2026-11-21",
      start: { time: "2026-11-21T10:00:00", tzid: "Europe/Berlin" },
      end: "2026-11-21T12:00:00+01:00",
      summary: "𝒮".repeat(2_000),
      location: { description: "" },
      reminders: [],
    };
    const { recurrence, issues } = readRecurrence(except({ add: dates(64), change: [change] }));
    expect(issues).toEqual([]);
    if (recurrence.kind !== "series") throw new Error(recurrence.kind);
    expect(recurrence.exceptions.add).toHaveLength(64);
    expect(recurrence.exceptions.add?.[3]).toEqual({ index: 3, day: day("2013-01-01") });
    expect(recurrence.exceptions.change).toEqual([
      {
        index: 0,
        day: day("2026-11-21"),
        span: { allDay: false, starts: Date.parse("2026-11-21T09:00:00Z"), ends: Date.parse("2026-11-21T11:00:00Z") },
        texts: { summary: change.summary, location: "" },
      },
    ]);
  });
});
