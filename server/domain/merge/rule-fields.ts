import { isDeepStrictEqual } from "node:util";
import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { DateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { type Rrule, readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import type { Frequency, Rule, RuleWeekday } from "@/server/domain/recurrence/rule";
import type { FirstOccurrence } from "@/server/domain/recurrence/spans";
import { civil, type Day, weekday } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { toLocal } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;
const frequencies: Readonly<Record<string, Frequency>> = {
  DAILY: "daily",
  WEEKLY: "weekly",
  MONTHLY: "monthly",
  YEARLY: "yearly",
};

/**
 * Converts the single rule of a series to the five fields of the API. A server may add parts that only repeat DTSTART
 * (BYMONTHDAY, BYHOUR, WKST …).
 * @returns null for rules that the five fields cannot express
 */
export function ruleFieldsOf(
  { rrules, start, allDay }: StoredIcalRecurrence,
  { firstDay, zone }: FirstOccurrence,
): Rule | null {
  const [text, ...more] = rrules;
  const rule = text === undefined || more.length > 0 ? null : readRrule(text);
  const frequency = rule && !("problem" in rule) ? frequencies[rule.freq] : undefined;
  if (
    !rule ||
    "problem" in rule ||
    !frequency ||
    rule.bySetPos.length + rule.byYearDay.length + rule.byWeekNo.length > 0
  ) {
    return null;
  }
  const ofDay = start - firstDay * DAY_MS;
  if (!allDay && !isAtTime(rule, ofDay)) return null;
  const byDay = byDayOf(rule, frequency, firstDay);
  if (!byDay) return null;
  const { interval, count } = rule;
  const last = rule.until && lastDay(rule.until, { ofDay: allDay ? 0 : ofDay, allDay, zone });
  return { frequency, interval, count, until: last, byDay };
}

/** Compares two rules read by `ruleFieldsOf`. */
export function isSameRule(one: Rule, other: Rule): boolean {
  return isDeepStrictEqual(one, other);
}

function isAtTime({ byHour, byMinute, bySecond }: Rrule, ofDay: number): boolean {
  const seconds = Math.floor(ofDay / 1000);
  const own = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [byHour, byMinute, bySecond].every(
    (part, i) => part.length === 0 || (part.length === 1 && part[0] === own[i]),
  );
}

/**
 * Converts BYDAY, sorted and without repetition. A weekly rule without BYDAY gets the weekday of the first day. Returns
 * null for values that the five fields cannot express.
 */
function byDayOf(rule: Rrule, frequency: Frequency, firstDay: Day): RuleWeekday[] | null {
  const { month, dayOfMonth } = civil(firstDay);
  const { byDay, byMonth, byMonthDay, interval, weekStart } = rule;
  const isOnly = (part: readonly number[], own: number) => part.length === 0 || (part.length === 1 && part[0] === own);
  if (frequency === "yearly") {
    return byDay.length === 0 && isOnly(byMonth, month) && isOnly(byMonthDay, dayOfMonth) ? [] : null;
  }
  if (byMonth.length > 0) return null;
  if (frequency === "daily") return byDay.length + byMonthDay.length === 0 ? [] : null;
  if (frequency === "monthly") {
    if (byDay.length === 0) return isOnly(byMonthDay, dayOfMonth) ? [] : null;
    const isPlace = ({ nth }: RuleWeekday) => nth !== null && nth >= -1 && nth <= 4;
    return byMonthDay.length === 0 && byDay.every(isPlace) ? sorted(byDay) : null;
  }
  const days = byDay.length > 0 ? byDay : [{ weekday: weekday(firstDay), nth: null }];
  const isPlain = days.every(({ nth }) => nth === null) && byMonthDay.length === 0;
  return isPlain && (weekStart === 0 || interval === 1 || days.length === 1) ? sorted(days) : null;
}

function sorted(days: readonly RuleWeekday[]): RuleWeekday[] {
  const all = days.map(({ weekday: named, nth }) => ({ weekday: named, nth }));
  return all.sort((a, b) => (a.nth ?? 0) - (b.nth ?? 0) || a.weekday - b.weekday);
}

/** Computes the last day that may have an occurrence at a time of day (milliseconds). */
function lastDay(
  until: DateValue,
  { ofDay, allDay, zone }: { ofDay: number; allDay: boolean; zone: FirstOccurrence["zone"] },
): Day {
  if (until.kind === "date") return until.day;
  const local = until.kind === "local" ? until.local : zone ? toLocal(zone, until.at) : until.at;
  const day = dayOf(local as number as Instant);
  return !allDay && local - day * DAY_MS < ofDay ? ((day - 1) as Day) : day;
}
