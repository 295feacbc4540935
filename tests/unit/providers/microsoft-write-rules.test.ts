import type { PatternedRecurrence } from "@microsoft/microsoft-graph-types";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { fits, ruleDays } from "@/server/domain/recurrence/days";
import type { Rule } from "@/server/domain/recurrence/rule";
import { type FirstOccurrence, occurrenceSpan } from "@/server/domain/recurrence/spans";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toInstant, zone } from "@/server/domain/time/zone";
import { recurrenceOf } from "@/server/providers/microsoft/write-recurrence";
import { datesOf } from "../../fakes/microsoft/recurrence";
import { newWorld } from "../../fakes/microsoft/world";
import { eventState, ruleSeries, writingToMicrosoft } from "./microsoft-writing";

const { knobs } = newWorld([], {});
const HOUR = 3_600_000;
const [FROM, TO] = [parseDay("2026-01-01") as Day, parseDay("2030-12-31") as Day];
const dayOf = (text: string) => parseDay(text) as Day;

const day = fc.integer({ min: FROM, max: FROM + 500 }).map((one) => one as Day);
const end = fc.oneof(
  fc.constant({ count: null, until: null }),
  fc.record({ count: fc.integer({ min: 1, max: 730 }), until: fc.constant(null) }),
  fc.record({ count: fc.constant(null), until: fc.integer({ min: FROM + 500, max: TO }).map((one) => one as Day) }),
);
const weekday = fc.integer({ min: 0, max: 6 });
const nth = fc.constantFrom(1, 2, 3, 4, -1);
const kind = fc.oneof(
  fc.record({ frequency: fc.constantFrom("daily" as const, "yearly" as const), byDay: fc.constant([]) }),
  fc.record({
    frequency: fc.constant("weekly" as const),
    byDay: fc.uniqueArray(weekday, { maxLength: 7 }).map((days) => days.map((one) => ({ weekday: one, nth: null }))),
  }),
  fc.record({
    frequency: fc.constant("monthly" as const),
    byDay: fc.array(fc.record({ weekday, nth }), { maxLength: 1 }),
  }),
);
const zones = ["Europe/Madrid", "America/New_York", "Africa/Casablanca", "Australia/Lord_Howe", "Pacific/Apia"];

/** A rule, and the first day from `from` on that fits it. */
function firstFitting(rule: Rule, from: Day): Day | null {
  for (let one = from; one < from + 400; one++) if (fits(rule, one)) return one as Day;
  return null;
}

/** An hour on a day at a time of the clock. */
function seriesOn(first: Day, rule: Rule, { tzid, hour }: { tzid: string | null; hour: number }): EventState {
  const on = tzid === null ? null : zone(tzid);
  const local = (utcMidnight(first) + (on ? hour * HOUR : 0)) as LocalTime;
  const starts = on ? toInstant(on, local) : (local as number as Instant);
  const ends = (starts + (on ? HOUR : 24 * HOUR)) as Instant;
  return eventState({ span: { starts, ends, allDay: !on }, tzid, ruleSeries: ruleSeries(rule) });
}

function written(state: EventState): PatternedRecurrence {
  const found = recurrenceOf(state, null);
  if (!found || "refused" in found) throw new Error("The rule was refused.");
  return found.recurrence as PatternedRecurrence;
}

describe("a rule in Graph's words", () => {
  it("has the same days, as computed by another engine", () => {
    const property = fc.property(kind, end, day, fc.integer({ min: 1, max: 99 }), (own, ending, from, interval) => {
      const rule = { ...own, ...ending, interval };
      const first = firstFitting(rule, from);
      fc.pre(first !== null);
      const recurrence = written(seriesOn(first, rule, { tzid: "Europe/Madrid", hour: 9 }));
      const expected = ruleDays(rule, first, { from: first, to: (TO + 1) as Day }).map(formatDay);
      expect(datesOf(knobs, recurrence, formatDay(TO))).toEqual(expected);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it("takes place at the same times in every zone, all-day series too", async () => {
    const { push, calendar, id, api } = await writingToMicrosoft();
    const property = fc.asyncProperty(
      ...[kind, day, fc.constantFrom(null, ...zones), fc.integer({ min: 0, max: 23 })],
      fc.integer({ min: 1, max: 20 }),
      async (own, from, tzid, hour, interval) => {
        const rule = { ...own, count: 20, until: null, interval };
        const first = firstFitting(rule, from);
        fc.pre(first !== null);
        const state = seriesOn(first, rule, { tzid, hour });
        expect(await push(state, { externalId: null, name: crypto.randomUUID() })).toMatchObject({ kind: "done" });
        const { span } = state;
        const series: FirstOccurrence = { first: span, zone: tzid === null ? null : zone(tzid), firstDay: first };
        const days = ruleDays(rule, first, { from: first, to: (first + 902) as Day });
        const path = `/me/calendars/${calendar.id}/events/${id()}/instances`;
        const ending = formatDay((first + 902) as Day);
        // Two days before both ends, where no zone puts an occurrence beyond one of them.
        const isCompared = (starts: number) => starts < utcMidnight((first + 900) as Day);
        const query = { startDateTime: formatDay((first - 1) as Day), endDateTime: ending, $top: 100 };
        const { body } = await api({ kind: "read_event", path, query });
        const starts = (body.value as { start: { dateTime: string } }[]).map(({ start }) =>
          Date.parse(`${start.dateTime}Z`),
        );
        const expected = days.map((one) => occurrenceSpan(series, one).starts);
        expect(starts.filter(isCompared)).toEqual(expected.filter(isCompared));
        calendar.deleteEvent(id());
      },
    );
    // An all-day occurrence 900 days after the first.
    const mondaysAndFridays = {
      frequency: "weekly" as const,
      byDay: [0, 4].map((weekday) => ({ weekday, nth: null })),
    };
    await fc.assert(property, { numRuns: 60, examples: [[mondaysAndFridays, 20_687 as Day, null, 0, 16]] });
  });

  it("counts weeks from Monday", () => {
    const byDay = [6, 0].map((one) => ({ weekday: one, nth: null }));
    const rule: Rule = { frequency: "weekly", interval: 2, count: 4, until: null, byDay };
    const { pattern } = written(seriesOn(dayOf("2027-03-07"), rule, { tzid: "Europe/Madrid", hour: 9 }));
    expect(pattern).toEqual({
      ...{ type: "weekly", interval: 2, firstDayOfWeek: "monday", daysOfWeek: ["monday", "sunday"] },
    });
  });

  it("begins on the date of its zone, which in UTC is another", () => {
    const state = eventState({
      span: {
        starts: Date.parse("2027-03-01T12:00:00Z") as Instant,
        ends: 1_803_996_000_000 as Instant,
        allDay: false,
      },
      ...{ tzid: "Pacific/Auckland", ruleSeries: ruleSeries({ until: dayOf("2027-03-09") }) },
    });
    expect(written(state).range).toEqual({
      ...{ type: "endDate", startDate: "2027-03-02", endDate: "2027-03-09" },
      recurrenceTimeZone: "New Zealand Standard Time",
    });
  });

  it("says one weekday of a month that is named twice", () => {
    const byDay = [1, 1].map((one) => ({ weekday: one, nth: 1 }));
    const rule: Rule = { frequency: "monthly", interval: 1, count: null, until: null, byDay };
    const { pattern } = written(seriesOn(dayOf("2027-03-02"), rule, { tzid: "Europe/Madrid", hour: 9 }));
    expect(pattern).toMatchObject({ type: "relativeMonthly", daysOfWeek: ["tuesday"], index: "first" });
  });
});

describe("what Graph cannot repeat", () => {
  it.each([
    [
      "two weekdays of a month",
      [
        { weekday: 0, nth: 1 },
        { weekday: 2, nth: 1 },
      ],
    ],
    [
      "a weekday at two places of a month",
      [
        { weekday: 0, nth: 1 },
        { weekday: 0, nth: 3 },
      ],
    ],
  ])("is refused: %s", async (_, byDay) => {
    const { push, calendar, asked } = await writingToMicrosoft();
    const rule: Rule = { frequency: "monthly", interval: 1, count: null, until: null, byDay };
    const state = seriesOn(dayOf("2027-03-01"), rule, { tzid: "Europe/Madrid", hour: 9 });
    expect(await push(state)).toEqual({ kind: "refused", reason: "monthly_weekdays_unsupported" });
    expect(asked()).toEqual([]);
    expect(calendar.events()).toEqual([]);
  });

  it("leaves a series as it was when it is to repeat so", async () => {
    const { push, shown } = await writingToMicrosoft();
    const tuesdays = [{ weekday: 0, nth: 1 }];
    const rule: Rule = { frequency: "monthly", interval: 1, count: null, until: null, byDay: tuesdays };
    const on = { tzid: "Europe/Madrid", hour: 9 };
    await push(seriesOn(dayOf("2027-03-01"), rule, on));
    const byDay = [...tuesdays, { weekday: 0, nth: 3 }];
    const wider = await push(seriesOn(dayOf("2027-03-01"), { ...rule, byDay }, on));
    expect(wider).toEqual({ kind: "refused", reason: "monthly_weekdays_unsupported" });
    expect(shown()?.recurrence?.pattern).toMatchObject({ type: "relativeMonthly", index: "first" });
  });

  it("is refused in a time zone of which Windows has none like it", async () => {
    const { push } = await writingToMicrosoft();
    const state = eventState({ tzid: "Antarctica/Troll", ruleSeries: ruleSeries() });
    expect(await push(state)).toEqual({ kind: "refused", reason: "time_zone_unsupported" });
  });

  it("is refused with Graph's reason where occurrences overlap", async () => {
    const { push } = await writingToMicrosoft();
    const starts = Date.parse("2027-03-01T08:00:00Z") as Instant;
    const span = { starts, ends: (starts + 30 * HOUR) as Instant, allDay: false };
    expect(await push(eventState({ span, ruleSeries: ruleSeries() }))).toEqual({
      ...{ kind: "refused", reason: "http_400_ErrorOccurrenceTimeSpanTooBig" },
    });
  });
});
