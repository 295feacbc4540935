import type { Rule, RuleWeekday } from "@/server/domain/recurrence/rule";
import { civil, type Day, dayFromCivil, daysInMonth, weekday } from "@/server/domain/time/day";

/**
 * The days of a rule without its end, grouped into periods: every interval-th day, week, month or year, counted from
 * the one of the first day, which is period 0. Any period can be computed without those before it.
 */
export interface Pattern {
  /** The last period that begins at or before a day. */
  periodOf(day: Day): number;
  /** Distinct days in ascending order, at least one. Period 0 includes those before the first day. */
  daysOf(period: number): readonly Day[];
  /** The number of days in every period. Null: it differs. */
  perPeriod: number | null;
}

/** Builds the pattern of a rule whose first occurrence is on `first` (RFC 5545 §3.3.10 with WKST=MO). */
export function pattern(rule: Rule, first: Day): Pattern {
  switch (rule.frequency) {
    case "daily":
      return everyDays(rule.interval, first);
    case "weekly":
      return everyWeeks(rule, first);
    case "monthly":
      return everyMonths(rule, first);
    case "yearly":
      return everyYears(rule.interval, first);
  }
}

function everyDays(interval: number, first: Day): Pattern {
  return {
    periodOf: (day) => Math.floor((day - first) / interval),
    daysOf: (period) => [(first + period * interval) as Day],
    perPeriod: 1,
  };
}

function everyWeeks({ interval, byDay }: Rule, first: Day): Pattern {
  const monday = first - weekday(first);
  const named = byDay.length > 0 ? byDay.map((entry) => entry.weekday) : [weekday(first)];
  const weekdays = [...new Set(named)].sort((a, b) => a - b);
  return {
    periodOf: (day) => Math.floor((day - monday) / (7 * interval)),
    daysOf: (period) => weekdays.map((one) => (monday + period * 7 * interval + one) as Day),
    perPeriod: weekdays.length,
  };
}

function everyMonths({ interval, byDay }: Rule, first: Day): Pattern {
  const { dayOfMonth } = civil(first);
  const firstMonth = monthOf(first);
  const places = byDay.length > 0 ? placesOf(byDay) : null;
  return {
    periodOf: (day) => Math.floor((monthOf(day) - firstMonth) / interval),
    daysOf: (period) => {
      const month = firstMonth + period * interval;
      const year = Math.floor(month / 12);
      const ofYear = (month % 12) + 1;
      return places ? weekdaysIn(year, ofYear, places) : [dayFromCivil(year, ofYear, dayOfMonth)];
    },
    perPeriod: places ? (coincide(places) ? null : places.length) : 1,
  };
}

function everyYears(interval: number, first: Day): Pattern {
  const { year, month, dayOfMonth } = civil(first);
  return {
    periodOf: (day) => Math.floor((civil(day).year - year) / interval),
    daysOf: (period) => [dayFromCivil(year + period * interval, month, dayOfMonth)],
    perPeriod: 1,
  };
}

function monthOf(day: Day): number {
  const { year, month } = civil(day);
  return year * 12 + month - 1;
}

interface PatternPosition {
  weekday: number;
  nth: number;
}

function placesOf(byDay: readonly RuleWeekday[]): PatternPosition[] {
  const places = byDay.map(({ weekday, nth }) => ({ weekday, nth: nth ?? 1 }));
  return places.filter((one, i) => places.findIndex((other) => isSame(one, other)) === i);
}

function isSame(one: PatternPosition, other: PatternPosition): boolean {
  return one.weekday === other.weekday && one.nth === other.nth;
}

/** Reports whether two positions can be one day: in a month with four Mondays the fourth is also the last. */
function coincide(places: readonly PatternPosition[]): boolean {
  return places.some((one) => one.nth === -1 && places.some((other) => isSame({ ...one, nth: 4 }, other)));
}

function weekdaysIn(year: number, month: number, places: readonly PatternPosition[]): Day[] {
  const begins = dayFromCivil(year, month, 1);
  const length = daysInMonth(year, month);
  const days = places.map(({ weekday: named, nth }) => {
    const firstNamed = (named - weekday(begins) + 7) % 7;
    if (nth > 0) return (begins + firstNamed + 7 * (nth - 1)) as Day;
    return (begins + firstNamed + (firstNamed + 28 < length ? 28 : 21)) as Day;
  });
  return [...new Set(days)].sort((a, b) => a - b);
}
