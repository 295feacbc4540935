import { type Budget, STEPS_A_PIECE, spend } from "@/server/domain/recurrence/rfc5545/budget";
import { dayFilter } from "@/server/domain/recurrence/rfc5545/day-filter";
import type { Rrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import { civil, type Day, dayFromCivil } from "@/server/domain/time/day";

/** Local times, in milliseconds: where the rule begins, and the range of interest (both inclusive). */
export interface Reach {
  start: number;
  from: number;
  to: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const units = { DAILY: DAY_MS, HOURLY: HOUR_MS, MINUTELY: MINUTE_MS, SECONDLY: SECOND_MS };

export type SteppingRule = Rrule & { freq: keyof typeof units };

export function isStepping(rule: Rrule): rule is SteppingRule {
  return rule.freq in units;
}

/**
 * Generates the periods of a rule whose day parts all limit (DAILY and shorter: RFC 5545 §3.3.10, the table), each as
 * its beginning (local, milliseconds), ascending. Leaps over what the rule excludes: a closed month, day, hour, minute
 * or second costs one step each. Now and then yields an empty period, so that the caller can stop.
 */
export function* steppingPeriods(rule: SteppingRule, { start, from, to }: Reach, budget: Budget): Generator<number[]> {
  const unit = units[rule.freq];
  const step = unit * rule.interval;
  const base = Math.floor(start / unit) * unit;
  const open = openings(rule);
  let k = Math.max(0, Math.floor((from - base) / step));
  for (let steps = 1; ; steps += 1) {
    const at = base + k * step;
    if (at > to || !spend(budget)) return;
    const next = open(at);
    if (next === at) yield [at];
    else if (steps % STEPS_A_PIECE === 0) yield [];
    k = Math.max(k + 1, Math.ceil((next - base) / step));
  }
}

/** Finds the earliest time from a period's beginning on that the rule may admit. */
function openings(rule: SteppingRule): (at: number) => number {
  const dayIsOpen = dayFilter(rule);
  const limits = clockLimits(rule);
  let knownOpen = Number.NaN;
  return (at) => {
    const day = Math.floor(at / DAY_MS);
    if (day !== knownOpen && !dayIsOpen(day as Day)) return nextDay(rule, day as Day) * DAY_MS;
    knownOpen = day;
    for (const { values, unit, within } of limits) {
      const whole = Math.floor(at / within) * within;
      const value = Math.floor((at - whole) / unit);
      if (values.includes(value)) continue;
      const next = values.find((other) => other > value);
      return next === undefined ? whole + within : whole + next * unit;
    }
    return at;
  };
}

function clockLimits(rule: SteppingRule): { values: readonly number[]; unit: number; within: number }[] {
  const limits = [
    { values: rule.byHour, unit: HOUR_MS, within: DAY_MS },
    { values: rule.byMinute, unit: MINUTE_MS, within: HOUR_MS },
    { values: rule.bySecond, unit: SECOND_MS, within: MINUTE_MS },
  ];
  return limits.filter(({ values, unit }) => values.length > 0 && unit >= units[rule.freq]);
}

/** Returns the next day, or if its month is not the rule's, the first day of the rule's next month. */
function nextDay({ byMonth }: Rrule, day: Day): number {
  const { year, month } = civil(day);
  if (byMonth.length === 0 || byMonth.includes(month)) return day + 1;
  const next = byMonth.find((other) => other > month);
  return next === undefined ? dayFromCivil(year + 1, byMonth[0] ?? 1, 1) : dayFromCivil(year, next, 1);
}
