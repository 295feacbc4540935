import type { Rrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import { type CivilDate, civil, type Day, dayFromCivil, daysInMonth, weekday } from "@/server/domain/time/day";

/** Checks that a date meets every part of a rule that names days. */
export type DayFilter = (day: Day) => boolean;

type Check = (day: Day, date: CivilDate) => boolean;

/**
 * Combines the parts of a rule that name days into one predicate. Within a period of WEEKLY, MONTHLY and YEARLY the
 * table of RFC 5545 §3.3.10 comes to this: whether a part expands or limits, the days that remain are those that meet
 * all of them.
 *
 * Where the table says N/A (BYWEEKNO outside YEARLY, …) the part limits. A number before a weekday that the frequency
 * does not allow is dropped.
 * @param rule with the days that it takes from DTSTART filled in (`withDaysOfStart`)
 */
export function dayFilter(rule: Rrule): DayFilter {
  const checks = [byMonth(rule), byWeekNo(rule), byYearDay(rule), byMonthDay(rule), byDay(rule)].filter(
    (check) => check !== null,
  );
  if (checks.length === 0) return () => true;
  return (day) => {
    const date = civil(day);
    for (const check of checks) if (!check(day, date)) return false;
    return true;
  };
}

/**
 * Fills in what a rule takes from DTSTART: "the appropriate … day or month would have been retrieved from DTSTART". RFC
 * 5545 doesn't say what happens if the rule's only parts don't fit the frequency: they count as naming the days.
 */
export function withDaysOfStart(rule: Rrule, start: Day): Rrule {
  const named = [rule.byWeekNo, rule.byYearDay, rule.byMonthDay, rule.byDay].filter((part) => part.length > 0);
  const { month, dayOfMonth } = civil(start);
  const sameWeekday = [{ weekday: weekday(start), nth: null }];
  if (rule.freq === "YEARLY" && named.length === 1 && named[0] === rule.byWeekNo)
    return { ...rule, byDay: sameWeekday };
  if (named.length > 0) return rule;
  if (rule.freq === "WEEKLY") return { ...rule, byDay: sameWeekday };
  if (rule.freq === "MONTHLY") return { ...rule, byMonthDay: [dayOfMonth] };
  if (rule.freq !== "YEARLY") return rule;
  return { ...rule, byMonth: rule.byMonth.length > 0 ? rule.byMonth : [month], byMonthDay: [dayOfMonth] };
}

/** Finds the first day of week 1 of a year: the first week with at least four days in it (BYWEEKNO; 0 is Monday). */
export function firstWeekOf(year: number, weekStart: number): Day {
  const fourth = dayFromCivil(year, 1, 4);
  return (fourth - ((weekday(fourth) - weekStart + 7) % 7)) as Day;
}

/** Returns the year whose weeks include a date. */
export function weekYearOf(day: Day, weekStart: number): number {
  const { year } = civil(day);
  if (day < firstWeekOf(year, weekStart)) return year - 1;
  return day >= firstWeekOf(year + 1, weekStart) ? year + 1 : year;
}

function byMonth({ byMonth }: Rrule): Check | null {
  if (byMonth.length === 0) return null;
  const months = new Set(byMonth);
  return (_, date) => months.has(date.month);
}

function byWeekNo({ byWeekNo, weekStart }: Rrule): Check | null {
  if (byWeekNo.length === 0) return null;
  const weeks = new Set(byWeekNo);
  return (day) => {
    const year = weekYearOf(day, weekStart);
    const first = firstWeekOf(year, weekStart);
    const inYear = (firstWeekOf(year + 1, weekStart) - first) / 7;
    return meets(weeks, Math.floor((day - first) / 7) + 1, inYear);
  };
}

function byYearDay({ byYearDay }: Rrule): Check | null {
  if (byYearDay.length === 0) return null;
  const days = new Set(byYearDay);
  return (day, { year }) => {
    const first = dayFromCivil(year, 1, 1);
    return meets(days, day - first + 1, dayFromCivil(year + 1, 1, 1) - first);
  };
}

function byMonthDay({ byMonthDay }: Rrule): Check | null {
  if (byMonthDay.length === 0) return null;
  const days = new Set(byMonthDay);
  return (_, { year, month, dayOfMonth }) => meets(days, dayOfMonth, daysInMonth(year, month));
}

function byDay(rule: Rrule): Check | null {
  if (rule.byDay.length === 0) return null;
  const scope = scopeOfNth(rule);
  const plain = new Set(rule.byDay.filter(({ nth }) => nth === null || !scope).map(({ weekday }) => weekday));
  const numbered = new Set(rule.byDay.flatMap(({ weekday, nth }) => (nth === null ? [] : [nth * 7 + weekday])));
  return (day, date) => {
    const ofWeek = weekday(day);
    if (plain.has(ofWeek)) return true;
    if (!scope || numbered.size === 0) return false;
    const { index, length } = placeIn(scope, day, date);
    const last = -Math.floor((length - 1 - index) / 7) - 1;
    return numbered.has((Math.floor(index / 7) + 1) * 7 + ofWeek) || numbered.has(last * 7 + ofWeek);
  };
}

/** Returns what the number before a weekday counts in (§3.3.10, BYDAY and note 2), or null if none is allowed. */
function scopeOfNth(rule: Rrule): "month" | "year" | null {
  if (rule.freq === "MONTHLY") return "month";
  if (rule.freq !== "YEARLY" || rule.byWeekNo.length > 0) return null;
  return rule.byMonth.length > 0 ? "month" : "year";
}

function placeIn(scope: "month" | "year", day: Day, date: CivilDate): { index: number; length: number } {
  if (scope === "month") return { index: date.dayOfMonth - 1, length: daysInMonth(date.year, date.month) };
  const first = dayFromCivil(date.year, 1, 1);
  return { index: day - first, length: dayFromCivil(date.year + 1, 1, 1) - first };
}

/** Checks whether the nth of `of` is among numbers that count from the start (positive) or from the end (negative). */
function meets(numbers: ReadonlySet<number>, nth: number, of: number): boolean {
  return numbers.has(nth) || numbers.has(nth - of - 1);
}
