import { describe, expect, it } from "vitest";
import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import { isSameIcal } from "@/server/domain/merge/same-ical";
import { shiftRule } from "@/server/domain/merge/shift-rule";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import { whole } from "@/server/domain/pieces";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { zone } from "@/server/domain/time/zone";
import { single } from "@/tests/unit/providers/icalendar/given-state";

const local = (text: string) => Date.parse(`${text}Z`) as LocalTime;
const hour = { days: 0, exact: 3_600_000 };
const timed = (tzid: string | null, start: string) => ({ allDay: false, tzid, start: local(start), duration: hour });
const days = (start: string) => ({
  ...{ allDay: true, tzid: null, start: local(`${start}T00:00`), duration: { days: 1, exact: 0 } },
});
const berlin9 = timed("Europe/Berlin", "2026-12-02T09:00");
const series = (times: ReturnType<typeof timed>, more: Partial<StoredIcalRecurrence>): StoredIcalRecurrence => ({
  ...{ ...times, rrules: ["FREQ=DAILY"], exrules: [], rdates: [], exdates: [], overrides: [] },
  ...more,
});
const starts = (of: StoredIcalRecurrence): string[] => {
  const window = { from: local("2026-11-01T00:00"), to: local("2027-02-01T00:00") } as unknown as {
    from: Instant;
    to: Instant;
  };
  const found = expandIcal({ ...of, zone: of.tzid === null ? null : zone(of.tzid) }, window, { steps: 10_000 });
  return found.occurrences.map((one) => formatInstant(one.starts).slice(5, 16));
};

describe("a rule whose series gets", () => {
  it.each([
    [
      "a later hour, with the hour it named",
      berlin9,
      timed("Europe/Berlin", "2026-12-02T11:00"),
      "FREQ=DAILY;BYHOUR=9;BYMINUTE=0",
      "FREQ=DAILY;BYHOUR=11;BYMINUTE=0",
    ],
    [
      "a later hour, with several hours",
      berlin9,
      timed("Europe/Berlin", "2026-12-02T11:00"),
      "FREQ=DAILY;BYHOUR=9,17",
      "FREQ=DAILY;BYHOUR=11,19",
    ],
    [
      "an hour so late that others would be on the next day",
      berlin9,
      timed("Europe/Berlin", "2026-12-02T18:00"),
      "FREQ=DAILY;BYHOUR=9,17",
      "FREQ=DAILY;BYHOUR=9,17",
    ],
    [
      "a later hour, until its last time",
      berlin9,
      timed("Europe/Berlin", "2026-12-02T11:00"),
      "FREQ=DAILY;UNTIL=20261205T080000Z",
      "FREQ=DAILY;UNTIL=20261205T225959Z",
    ],
    [
      "a later hour, until before its time of that day",
      berlin9,
      timed("Europe/Berlin", "2026-12-02T11:00"),
      "FREQ=DAILY;UNTIL=20261205T075900Z",
      "FREQ=DAILY;UNTIL=20261204T225959Z",
    ],
    [
      "another day at the same hour",
      berlin9,
      timed("Europe/Berlin", "2026-12-03T09:00"),
      "FREQ=DAILY;UNTIL=20261205T080000Z",
      "FREQ=DAILY;UNTIL=20261205T080000Z",
    ],
    [
      "another zone, in which it is another day",
      timed("Asia/Tokyo", "2026-12-03T01:00"),
      timed("Europe/Berlin", "2026-12-02T17:00"),
      "FREQ=DAILY;UNTIL=20261205T160000Z",
      "FREQ=DAILY;UNTIL=20261205T225959Z",
    ],
    [
      "another zone, hour by hour",
      timed("Asia/Tokyo", "2026-12-03T01:00"),
      timed("Europe/Berlin", "2026-12-02T17:00"),
      "FREQ=HOURLY;UNTIL=20261203T030000Z",
      "FREQ=HOURLY;UNTIL=20261203T030000Z",
    ],
    [
      "whole days",
      berlin9,
      days("2026-12-02"),
      "FREQ=DAILY;UNTIL=20261205T080000Z;BYHOUR=9",
      "FREQ=DAILY;UNTIL=20261205",
    ],
    [
      "whole days, and ends before its time of a day",
      berlin9,
      days("2026-12-02"),
      "FREQ=DAILY;UNTIL=20261205T000000Z",
      "FREQ=DAILY;UNTIL=20261204",
    ],
    [
      "times instead of whole days",
      days("2026-12-02"),
      berlin9,
      "UNTIL=20261205;FREQ=DAILY",
      "UNTIL=20261205T225959Z;FREQ=DAILY",
    ],
    [
      "times in UTC instead of whole days",
      days("2026-12-02"),
      timed(null, "2026-12-02T09:00"),
      "FREQ=DAILY;UNTIL=20261205",
      "FREQ=DAILY;UNTIL=20261205T235959Z",
    ],
    ["the same times", berlin9, berlin9, "FREQ=DAILY;UNTIL=20261205", "FREQ=DAILY;UNTIL=20261205"],
  ])("%s", (_, from, to, rule, shifted) => {
    expect(shiftRule(rule, { from, to })).toBe(shifted);
  });
});

describe("a series", () => {
  const changed = {
    starts: local("2026-12-05T20:00") as number as Instant,
    ends: local("2026-12-05T21:00") as number as Instant,
  };
  const usual = (text: string) => ({
    starts: local(text) as number as Instant,
    ends: (local(text) + hour.exact) as Instant,
  });
  const full = series(berlin9, {
    rrules: ["FREQ=DAILY;COUNT=5"],
    ...{ rdates: [{ text: "20261220T090000" }, { text: "20261222T080000Z" }], exdates: [{ text: "20261203T090000" }] },
    overrides: [
      { recurrenceId: local("2026-12-04T09:00"), ...usual("2026-12-04T08:00"), fields: { summary: "Named" } },
      { recurrenceId: local("2026-12-05T09:00"), ...changed, fields: {} },
    ],
  });

  it("has the same occurrences on another clock", () => {
    const there = whole(shiftSeries(full, timed("America/New_York", "2026-12-02T03:00")));
    expect(starts(there)).toEqual(starts(full));
    expect(there.exdates).toEqual([{ text: "20261203T030000" }]);
    expect(there.overrides.map(({ recurrenceId }) => recurrenceId)).toEqual(
      ["2026-12-04T03:00", "2026-12-05T03:00"].map(local),
    );
    expect(starts(whole(shiftSeries(there, berlin9)))).toEqual(starts(full));
  });

  it("of whole days has them on the same dates, without times, and back", () => {
    const there = whole(shiftSeries(full, days("2026-12-02")));
    expect(starts(there)).toEqual(
      ["12-02", "12-04", "12-05", "12-06", "12-20", "12-22"].map((date) => `${date}T00:00`),
    );
    expect(there.overrides).toMatchObject([{ fields: { summary: "Named" } }]);
    const back = whole(shiftSeries(there, berlin9));
    expect(starts(back)).toEqual(["12-02", "12-04", "12-05", "12-06", "12-20", "12-22"].map((date) => `${date}T08:00`));
  });

  it("keeps its exceptions at their times where the rule names the weekdays and another day is the first", () => {
    const weekly = series(timed("Europe/Berlin", "2026-12-07T09:00"), {
      rrules: ["FREQ=WEEKLY;BYDAY=MO,WE"],
      exdates: [{ text: "20261209T090000" }],
      overrides: [
        { recurrenceId: local("2026-12-14T09:00"), ...usual("2026-12-14T08:00"), fields: { summary: "Named" } },
      ],
    });
    const there = whole(shiftSeries(weekly, timed("Europe/Berlin", "2026-12-08T10:00")));
    expect(there.exdates).toEqual([{ text: "20261209T100000" }]);
    expect(there.overrides).toMatchObject([{ recurrenceId: local("2026-12-14T10:00"), ...usual("2026-12-14T09:00") }]);
  });

  it("loses what was said of a day that it has no more, and keeps what stood beside its days", () => {
    const weekly = series(timed("Europe/Berlin", "2026-12-07T09:00"), {
      rrules: ["FREQ=WEEKLY;BYDAY=MO;BYMONTH=12"],
      overrides: [
        { recurrenceId: local("2026-12-14T09:00"), ...usual("2026-12-14T08:00"), fields: {} },
        { recurrenceId: local("2026-12-15T12:00"), ...usual("2026-12-15T11:00"), fields: { summary: "Beside" } },
      ],
    });
    const there = whole(shiftSeries(weekly, timed("Europe/Berlin", "2026-12-28T10:00")));
    expect(there.overrides).toMatchObject([{ fields: { summary: "Beside" } }]);
  });

  it("of the same rule in other words is the same, and touches nothing when it only moves", () => {
    const state = (icalRecurrence: StoredIcalRecurrence) => single({ icalRecurrence, tzid: icalRecurrence.tzid });
    const cancelled = {
      recurrenceId: local("2026-12-03T09:00"),
      ...usual("2026-12-03T08:00"),
      cancelled: true,
      fields: {},
    };
    const others = { ...full, exdates: [], overrides: [...full.overrides, cancelled].reverse() };
    expect(isSameIcal(state(full), state(others))).toBe(true);
    expect(isSameIcal(state(full), state({ ...full, exdates: [] }))).toBe(false);
    expect(isSameIcal(state(full), state({ ...full, exdates: [...full.exdates, { text: "20261203T150000" }] }))).toBe(
      true,
    );
    const moved = whole(shiftSeries(full, timed("Europe/Berlin", "2026-12-02T11:00")));
    expect(changedFieldsOf(state(full), state(moved))).toEqual([]);
    const skipped = { ...moved, exdates: [...moved.exdates, { text: "20261206T110000" }] };
    expect(changedFieldsOf(state(full), state(skipped))).toEqual(["2026-12-06"]);
  });
});
