import type { RecurrencePattern, RecurrenceRange } from "@microsoft/microsoft-graph-types";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import { datesOf } from "../../fakes/microsoft/recurrence";
import { newWorld } from "../../fakes/microsoft/world";
import { adaAtMicrosoft } from "./microsoft-ada";

const berlin = "W. Europe Standard Time";
const { knobs } = newWorld([], {});
const untilYear = 2033;

/** The dates on which a series takes place. */
function daysOf({ icalRecurrence }: EventState): string[] {
  if (!icalRecurrence) throw new Error("The event does not repeat.");
  const { tzid, ...series } = icalRecurrence;
  const window = { from: Date.UTC(2026, 0) as Instant, to: Date.UTC(untilYear, 0) as Instant };
  const { occurrences, problems, exhausted } = expandIcal({ ...series, zone: zone(tzid ?? "") }, window, {
    steps: 500_000,
  });
  expect({ problems, exhausted }).toEqual({ problems: [], exhausted: false });
  return occurrences.map(({ day }) => formatDay(day));
}

type Ada = Awaited<ReturnType<typeof adaAtMicrosoft>>;

/** A series from its first date on that the pattern has, read by us and computed by the fake's other engine. */
async function bothWays(
  { calendar, read }: Ada,
  pattern: RecurrencePattern,
  range: RecurrenceRange,
  isAllDay: boolean,
) {
  const zoneName = isAllDay ? "UTC" : berlin;
  const [first] = datesOf(knobs, { pattern, range }, "2040-01-01", 1);
  // A range that ends before its first day is refused.
  if (first === undefined || (range.type === "endDate" && first > String(range.endDate))) return null;
  const at = (clock: string, day = first) => ({ dateTime: `${day}T${clock}`, timeZone: zoneName });
  const next = formatDay(((parseDay(first) ?? 0) + 1) as Day);
  const start = at(isAllDay ? "00:00:00" : "02:30:00");
  const end = isAllDay ? at("00:00:00", next) : at("04:15:00");
  const own = { ...range, startDate: first };
  const id = calendar.putEvent({ subject: "s", isAllDay, start, end, recurrence: { pattern, range: own } });
  const { state } = await read(id);
  return { read: daysOf(state), expected: datesOf(knobs, { pattern, range: own }, `${untilYear - 1}-12-31`) };
}

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const indexes = ["first", "second", "third", "fourth", "last"] as const;
const interval = fc.integer({ min: 1, max: 14 });
const someDays = fc.subarray([...days], { minLength: 1 });
const patterns = fc.oneof(
  fc.record({ type: fc.constant("daily" as const), interval }),
  fc.record({
    ...{
      type: fc.constant("weekly" as const),
      interval,
      daysOfWeek: someDays,
      firstDayOfWeek: fc.constantFrom(...days),
    },
  }),
  fc.record({ type: fc.constant("absoluteMonthly" as const), interval, dayOfMonth: fc.integer({ min: 1, max: 31 }) }),
  fc.record({
    ...{
      type: fc.constant("relativeMonthly" as const),
      interval,
      daysOfWeek: someDays,
      index: fc.constantFrom(...indexes),
    },
  }),
  fc
    .record({ type: fc.constant("absoluteYearly" as const), interval, month: fc.integer({ min: 1, max: 12 }) })
    .chain((yearly) => {
      const longest = new Date(Date.UTC(2028, yearly.month, 0)).getUTCDate();
      return fc.integer({ min: 1, max: longest }).map((dayOfMonth) => ({ ...yearly, dayOfMonth }));
    }),
  fc.record({
    type: fc.constant("relativeYearly" as const),
    interval: fc.integer({ min: 1, max: 3 }),
    month: fc.integer({ min: 1, max: 12 }),
    daysOfWeek: someDays,
    index: fc.constantFrom(...indexes),
  }),
);
const date = fc.date({ min: new Date("2026-02-01"), max: new Date("2027-12-31"), noInvalidDate: true });
const dateText = date.map((day) => day.toISOString().slice(0, 10));
const ranges = fc.oneof(
  fc.record({ type: fc.constant("noEnd" as const), startDate: dateText }),
  fc.record({
    type: fc.constant("numbered" as const),
    startDate: dateText,
    numberOfOccurrences: fc.integer({ min: 1, max: 60 }),
  }),
  fc
    .record({ type: fc.constant("endDate" as const), startDate: dateText, days: fc.integer({ min: 0, max: 900 }) })
    .map(({ days: lasts, ...range }) => ({
      ...range,
      endDate: formatDay(((parseDay(range.startDate) ?? 0) + lasts) as Day),
    })),
);

describe("a recurrence of Graph's", () => {
  it("means the same days to us as to another engine, whatever its pattern and its range", async () => {
    const ada = await adaAtMicrosoft();
    const seen = new Map<string | undefined, number>();
    await fc.assert(
      fc.asyncProperty(patterns, ranges, fc.boolean(), async (pattern, range, isAllDay) => {
        const both = await bothWays(ada, pattern, range, isAllDay);
        if (!both) return;
        expect(both.read).toEqual(both.expected);
        seen.set(pattern.type, (seen.get(pattern.type) ?? 0) + both.read.length);
      }),
      { numRuns: 150 },
    );
    expect([...seen.keys()]).toHaveLength(6);
  });

  it.each<[string, RecurrencePattern, RecurrenceRange, string]>([
    ["daily", { type: "daily", interval: 3 }, { type: "noEnd" }, "FREQ=DAILY;INTERVAL=3"],
    [
      "weekly, with its first day",
      { type: "weekly", interval: 2, daysOfWeek: ["monday", "sunday"], firstDayOfWeek: "monday" },
      { type: "numbered", numberOfOccurrences: 7 },
      "FREQ=WEEKLY;BYDAY=SU,MO;WKST=MO;INTERVAL=2;COUNT=7",
    ],
    [
      "on the last of several weekdays",
      { type: "relativeMonthly", interval: 1, daysOfWeek: ["saturday", "sunday"], index: "last" },
      { type: "noEnd" },
      "FREQ=MONTHLY;BYDAY=SU,SA;BYSETPOS=-1",
    ],
    [
      "on one weekday of a month",
      { type: "relativeMonthly", interval: 1, daysOfWeek: ["tuesday"], index: "second" },
      { type: "endDate", endDate: "2027-07-31" },
      "FREQ=MONTHLY;BYDAY=2TU;UNTIL=20270731T215959Z",
    ],
    [
      "on the last day of a short month",
      { type: "absoluteMonthly", interval: 1, dayOfMonth: 31 },
      { type: "noEnd" },
      "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
    ],
    [
      "on 29 February",
      { type: "absoluteYearly", interval: 1, month: 2, dayOfMonth: 29 },
      { type: "noEnd" },
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1",
    ],
  ])("is a rule of RFC 5545: %s", async (_, pattern, range, rule) => {
    const { calendar, read } = await adaAtMicrosoft();
    const [startDate = ""] = datesOf(knobs, { pattern, range: { ...range, startDate: "2027-03-01" } }, "2040-01-01", 1);
    const id = calendar.putEvent({
      start: { dateTime: `${startDate}T09:00:00`, timeZone: berlin },
      end: { dateTime: `${startDate}T10:00:00`, timeZone: berlin },
      recurrence: { pattern, range: { ...range, startDate } },
    });
    expect((await read(id)).state.icalRecurrence?.rrules).toEqual([rule]);
  });
});
