import { type Pattern, pattern } from "@/server/domain/recurrence/pattern";
import type { Rule } from "@/server/domain/recurrence/rule";
import { civil, type Day, dayFromCivil } from "@/server/domain/time/day";

/** The last date that can be written. */
const LAST_DAY = dayFromCivil(9999, 12, 31);
const LAST_DAY_OF_EVERY_MONTH = 28;

/** Days from `from` to before `to`. */
export interface DayRange {
  from: Day;
  to: Day;
}

/**
 * Lists the days of a series in a range, in ascending order ("Rules for recurrence"; RFC 5545 §3.3.10, weeks begin on
 * Monday). The work depends on the range and not on the series' age; a count bounds it by 730 months at most.
 * @param first the day of the first occurrence, which must fit the rule (`fits`)
 */
export function ruleDays(rule: Rule, first: Day, { from, to }: DayRange): Day[] {
  const days = pattern(rule, first);
  const begins = Math.max(from, first) as Day;
  const stop = Math.min(to, lastPossible(rule, first, days) + 1);
  const found: Day[] = [];
  if (begins >= stop) return found;
  for (let period = days.periodOf(begins); ; period++) {
    for (const day of days.daysOf(period)) {
      if (day >= stop) return found;
      if (day >= begins) found.push(day);
    }
  }
}

/** Checks that a series has a day. `first` must fit the rule. */
export function isRuleDay(rule: Rule, first: Day, day: Day): boolean {
  const days = pattern(rule, first);
  return day >= first && day <= lastPossible(rule, first, days) && onPattern(days, day);
}

/** Computes the last day of a series, or null if it does not end before the year 10000. `first` must fit the rule. */
export function lastRuleDay(rule: Rule, first: Day): Day | null {
  if (rule.count === null && rule.until === null) return null;
  const days = pattern(rule, first);
  const bound = lastPossible(rule, first, days);
  if (bound >= LAST_DAY) return null;
  for (let period = days.periodOf(bound); period >= 0; period--) {
    const last = days.daysOf(period).findLast((day) => day <= bound);
    if (last !== undefined) return last;
  }
  return first;
}

export type Misfit = "by_day" | "frequency" | "until";

/**
 * Lists the fields of a rule that keep `first` from being its first day ("Rules for recurrence"): a weekday that by_day
 * does not name; the 29th to 31st of months and 29 February of years; an until before it.
 */
export function misfits(rule: Rule, first: Day): Misfit[] {
  const { month, dayOfMonth } = civil(first);
  const isTooLate = rule.frequency === "monthly" && rule.byDay.length === 0 && dayOfMonth > LAST_DAY_OF_EVERY_MONTH;
  const isLeapDay = rule.frequency === "yearly" && month === 2 && dayOfMonth === 29;
  const found: Misfit[] = [];
  if (!onPattern(pattern(rule, first), first)) found.push("by_day");
  if (isTooLate || isLeapDay) found.push("frequency");
  if (rule.until !== null && rule.until < first) found.push("until");
  return found;
}

/** Checks that `first` can be the first day of a rule. */
export function fits(rule: Rule, first: Day): boolean {
  return misfits(rule, first).length === 0;
}

function onPattern(days: Pattern, day: Day): boolean {
  return days.daysOf(days.periodOf(day)).includes(day);
}

/** Computes a day after which the series has none: its last one by count, or until. */
function lastPossible(rule: Rule, first: Day, days: Pattern): Day {
  const byCount = rule.count === null ? LAST_DAY : nthDay(days, first, rule.count);
  return Math.min(byCount, rule.until ?? LAST_DAY, LAST_DAY) as Day;
}

function nthDay(days: Pattern, first: Day, n: number): Day {
  const before = days.daysOf(0).filter((day) => day < first).length;
  if (days.perPeriod === null) return walkTo(days, before + n - 1);
  const period = Math.floor((before + n - 1) / days.perPeriod);
  return days.daysOf(period)[(before + n - 1) % days.perPeriod] ?? LAST_DAY;
}

/** Walks to the nth day of months that differ in their number of days. A count is 730 at most. */
function walkTo(days: Pattern, index: number): Day {
  let left = index;
  for (let period = 0; ; period++) {
    const those = days.daysOf(period);
    const day = those[left];
    if (day !== undefined) return day;
    left -= those.length;
  }
}
