import { type Budget, spend } from "@/server/domain/recurrence/rfc5545/budget";
import type { Rrule } from "@/server/domain/recurrence/rfc5545/read-rrule";

/** The times of a period, ascending, from a time on, given its beginnings (days, or the one hour, minute, second). */
export type TimesOfPeriod = (beginnings: readonly number[], from: number) => Iterable<number>;

/** Times computed per step. */
const TIMES_A_STEP = 16;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Computes what BYHOUR, BYMINUTE and BYSECOND expand in each period, and which of it BYSETPOS selects. BYSETPOS counts
 * from the period's beginning, DTSTART's own period included (RFC 5545 §3.3.10).
 * @param start DTSTART (local, milliseconds), for what the rule does not say
 * @returns null when the budget does not suffice
 */
export function timesOfPeriod(rule: Rrule, start: number, budget: Budget): TimesOfPeriod | null {
  const offsets = offsetsInBeginning(rule, start, budget);
  if (!offsets) return null;
  if (rule.bySetPos.length > 0) return timesAt(rule.bySetPos, offsets, budget);
  return (beginnings, from) => allTimes(beginnings, offsets, from);
}

function* allTimes(beginnings: readonly number[], offsets: readonly number[], from: number): Generator<number> {
  for (const beginning of beginnings) {
    if (beginning + DAY_MS <= from) continue;
    for (const offset of offsets) if (beginning + offset >= from) yield beginning + offset;
  }
}

function timesAt(positions: readonly number[], offsets: readonly number[], budget: Budget): TimesOfPeriod {
  let [known, knownOf]: [number[], number] = [[], -1];
  return (beginnings, from) => {
    const total = beginnings.length * offsets.length;
    if (total !== knownOf) {
      if (!spend(budget, positions.length)) return [];
      [known, knownOf] = [indexesOf(positions, total), total];
    }
    if (!spend(budget, Math.ceil(known.length / TIMES_A_STEP))) return [];
    return known
      .map((index) => (beginnings[Math.floor(index / offsets.length)] ?? 0) + (offsets[index % offsets.length] ?? 0))
      .filter((time) => time >= from);
  };
}

/** Converts positions in a list of `total` items to indexes, ascending. */
function indexesOf(positions: readonly number[], total: number): number[] {
  const indexes = positions.map((position) => (position > 0 ? position - 1 : total + position));
  return [...new Set(indexes)].filter((index) => index >= 0 && index < total).sort((a, b) => a - b);
}

/** Expands the parts shorter than the frequency. The others have limited already, and add nothing. */
function offsetsInBeginning(rule: Rrule, start: number, budget: Budget): number[] | null {
  const ofDay = start - Math.floor(start / DAY_MS) * DAY_MS;
  const { freq } = rule;
  const isHourOrLess = freq === "HOURLY" || freq === "MINUTELY" || freq === "SECONDLY";
  const hours = isHourOrLess ? [0] : orElse(rule.byHour, Math.floor(ofDay / HOUR_MS));
  const minutes =
    isHourOrLess && freq !== "HOURLY" ? [0] : orElse(rule.byMinute, Math.floor((ofDay % HOUR_MS) / MINUTE_MS));
  const seconds = freq === "SECONDLY" ? [0] : orElse(rule.bySecond, Math.floor((ofDay % MINUTE_MS) / SECOND_MS));
  if (!spend(budget, hours.length * minutes.length * seconds.length)) return null;
  return hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * HOUR_MS + m * MINUTE_MS + s * SECOND_MS)));
}

function orElse(values: readonly number[], own: number): readonly number[] {
  return values.length > 0 ? values : [own];
}
