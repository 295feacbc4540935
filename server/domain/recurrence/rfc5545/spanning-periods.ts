import { type Budget, STEPS_A_PIECE, spend } from "@/server/domain/recurrence/rfc5545/budget";
import { dayFilter, firstWeekOf, weekYearOf } from "@/server/domain/recurrence/rfc5545/day-filter";
import type { Rrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import type { Reach } from "@/server/domain/recurrence/rfc5545/stepping-periods";
import { civil, type Day, dayFromCivil, weekday } from "@/server/domain/time/day";

/** The beginning of a rule's nth period (0 is DTSTART's), and the index of the period that a date is in or after. */
interface Grid {
  begin: (k: number) => Day;
  /** Exclusive. */
  end: (k: number) => Day;
  indexOf: (day: Day) => number;
}

const DAY_MS = 86_400_000;

/**
 * Generates the periods of a WEEKLY, MONTHLY or YEARLY rule, each as its days (their midnights, local, milliseconds),
 * ascending. Skips a period without a day, but now and then yields an empty one, so that the caller can stop. A month
 * that BYMONTH excludes costs one step.
 * @param rule with the days that it takes from DTSTART filled in
 */
export function* spanningPeriods(rule: Rrule, { start, from, to }: Reach, budget: Budget): Generator<number[]> {
  const grid = gridOf(rule, Math.floor(start / DAY_MS) as Day);
  const isOpen = dayFilter(rule);
  const last = Math.floor(to / DAY_MS);
  const first = grid.indexOf(Math.floor(from / DAY_MS) as Day);
  let before = budget.steps;
  for (let k = Math.max(0, first); grid.begin(k) <= last; k++) {
    const days: number[] = [];
    const end = grid.end(k);
    if (!spend(budget)) return;
    for (let day = grid.begin(k); day < end; ) {
      const past = pastClosedMonth(rule, day);
      if (!spend(budget)) return;
      if (past === null && isOpen(day)) days.push(day * DAY_MS);
      day = past ?? ((day + 1) as Day);
    }
    if (days.length === 0 && before - budget.steps < STEPS_A_PIECE) continue;
    before = budget.steps;
    yield days;
  }
}

/** Finds the first day of the next month if BYMONTH excludes this one. */
function pastClosedMonth({ byMonth }: Rrule, day: Day): Day | null {
  if (byMonth.length === 0) return null;
  const { year, month } = civil(day);
  if (byMonth.includes(month)) return null;
  return month === 12 ? dayFromCivil(year + 1, 1, 1) : dayFromCivil(year, month + 1, 1);
}

function gridOf(rule: Rrule, start: Day): Grid {
  if (rule.freq === "WEEKLY") return weeks(rule, start);
  if (rule.freq === "MONTHLY") return months(rule, start);
  return rule.byWeekNo.length > 0 ? weekYears(rule, start) : years(rule, start);
}

function weeks({ interval, weekStart }: Rrule, start: Day): Grid {
  const first = start - ((weekday(start) - weekStart + 7) % 7);
  const begin = (k: number) => (first + 7 * interval * k) as Day;
  return {
    begin,
    end: (k) => (begin(k) + 7) as Day,
    indexOf: (day) => Math.floor((day - first) / (7 * interval)),
  };
}

function months({ interval }: Rrule, start: Day): Grid {
  const first = monthIndex(start);
  return {
    begin: (k) => firstOfMonth(first + interval * k),
    end: (k) => firstOfMonth(first + interval * k + 1),
    indexOf: (day) => Math.floor((monthIndex(day) - first) / interval),
  };
}

function years({ interval }: Rrule, start: Day): Grid {
  const first = civil(start).year;
  return {
    begin: (k) => dayFromCivil(first + interval * k, 1, 1),
    end: (k) => dayFromCivil(first + interval * k + 1, 1, 1),
    indexOf: (day) => Math.floor((civil(day).year - first) / interval),
  };
}

/**
 * Builds the grid for BYWEEKNO, where a year is its weeks: week 1 may begin in December, and DTSTART is in the year
 * that its week counts in.
 */
function weekYears({ interval, weekStart }: Rrule, start: Day): Grid {
  const first = weekYearOf(start, weekStart);
  return {
    begin: (k) => firstWeekOf(first + interval * k, weekStart),
    end: (k) => firstWeekOf(first + interval * k + 1, weekStart),
    indexOf: (day) => Math.floor((weekYearOf(day, weekStart) - first) / interval),
  };
}

function monthIndex(day: Day): number {
  const { year, month } = civil(day);
  return year * 12 + month - 1;
}

function firstOfMonth(index: number): Day {
  const year = Math.floor(index / 12);
  return dayFromCivil(year, index - year * 12 + 1, 1);
}
