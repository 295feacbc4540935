import type { EventState } from "@/server/domain/events/event-state";
import { ruleFieldsOf } from "@/server/domain/merge/rule-fields";
import { firstOf, toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import type { Rule, RuleWeekday } from "@/server/domain/recurrence/rule";
import { civil, type Day, formatDay, weekday } from "@/server/domain/time/day";
import type { UnwritableSeries } from "@/server/providers/connector";
import { objectOf } from "@/server/providers/json-values";
import type { Item } from "@/server/providers/microsoft/item";
import { hasZone, writtenTimes } from "@/server/providers/microsoft/write-times";

/** `patternedRecurrence`. */
export interface Recurrence {
  pattern: Record<string, unknown>;
  range: Record<string, unknown>;
}

export type WrittenRecurrence = { recurrence: Recurrence } | { refused: RecurrenceFault };

/** What no series of Graph can be, as staff sees it. */
export type RecurrenceFault = "monthly_weekdays_unsupported" | "rule_unsupported" | "time_zone_unsupported";

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const indexes: Readonly<Record<number, string>> = { 1: "first", 2: "second", 3: "third", 4: "fourth", [-1]: "last" };

/**
 * Gives the recurrence of a series as Graph says it. Refused is what it cannot say: "If … daysOfWeek specifies more than one day, the event falls
 * on the first day that satisfies the pattern", so that a month has one of them, and no exception adds another.
 * @param main the series as Graph has it, whose pattern stays if it is one that the five fields cannot express
 */
export function recurrenceOf(state: EventState, main: Item | null): WrittenRecurrence | null {
  const series = toIcalRecurrence(state);
  if (!series) return null;
  if (!hasZone(state)) return { refused: "time_zone_unsupported" };
  const first = firstOf(state);
  const rule = state.ruleSeries?.rule ?? ruleFieldsOf(series, first);
  if (rule) return ofRule(rule, first.firstDay, state);
  const { pattern, range } = objectOf(main?.recurrence);
  if (!pattern || !range) return { refused: "rule_unsupported" };
  const kept = { ...objectOf(range), ...startOf(first.firstDay, state) };
  return { recurrence: { pattern: objectOf(pattern), range: kept } };
}

/**
 * Determines which part of what the application has written no series of Graph can be. Returns null if Graph can keep
 * all of it.
 */
export function unwritable(state: EventState): UnwritableSeries | null {
  if (!state.ruleSeries) return null;
  const written = recurrenceOf(state, null);
  if (!written || !("refused" in written)) return null;
  return written.refused === "time_zone_unsupported" ? "time_zone" : "monthly_weekdays";
}

function ofRule(rule: Rule, first: Day, state: EventState): WrittenRecurrence {
  const pattern = patternOf(rule, first);
  if (!pattern) return { refused: "monthly_weekdays_unsupported" };
  const range = { ...rangeOf(rule), ...startOf(first, state) };
  return { recurrence: { pattern: { interval: rule.interval, firstDayOfWeek: "monday", ...pattern }, range } };
}

/** Writes the pattern of a rule. Returns null for several weekdays of a month. */
function patternOf({ frequency, byDay }: Rule, first: Day): Record<string, unknown> | null {
  const { month, dayOfMonth } = civil(first);
  const named = [...new Set(byDay.map(({ weekday: day }) => day))].sort((a, b) => a - b);
  const daysOfWeek = (named.length > 0 ? named : [weekday(first)]).map((day) => weekdays[day]);
  if (frequency === "daily") return { type: "daily" };
  // "firstDayOfWeek: … Default is sunday."
  if (frequency === "weekly") return { type: "weekly", daysOfWeek };
  if (frequency === "yearly") return { type: "absoluteYearly", month, dayOfMonth };
  if (byDay.length === 0) return { type: "absoluteMonthly", dayOfMonth };
  return isOneDay(byDay) ? { type: "relativeMonthly", daysOfWeek, index: indexes[byDay[0]?.nth ?? 1] } : null;
}

function isOneDay(byDay: readonly RuleWeekday[]): boolean {
  return new Set(byDay.map(({ weekday: day, nth }) => `${nth} ${day}`)).size === 1;
}

function rangeOf({ count, until }: Rule): Record<string, unknown> {
  if (count !== null) return { type: "numbered", numberOfOccurrences: count };
  return until === null ? { type: "noEnd" } : { type: "endDate", endDate: formatDay(until) };
}

/**
 * Writes the start of a recurrence. "startDate: … Must be the same value as the start property of the recurring event."
 */
function startOf(first: Day, state: EventState): Record<string, unknown> {
  return { startDate: formatDay(first), recurrenceTimeZone: writtenTimes(state, true).start.timeZone };
}

/**
 * Gives the same occurrences in other words: Graph forgets the exceptions of a series and its deleted occurrences only when the recurrence
 * changes. What it ignores in a pattern, it keeps. Null: there are no other words.
 */
export function inOtherWords({ pattern, range }: Recurrence, main: Item): Recurrence | null {
  const days = Array.isArray(pattern.daysOfWeek) ? pattern.daysOfWeek.length : 0;
  const countsWeeks = pattern.type === "weekly" && Number(pattern.interval) > 1 && days > 1;
  if (countsWeeks) return null;
  const { firstDayOfWeek } = objectOf(objectOf(main.recurrence).pattern);
  const other = firstDayOfWeek === "monday" ? "sunday" : "monday";
  return { pattern: { ...pattern, firstDayOfWeek: other }, range };
}

/** Gives a series with the first occurrence alone, which no other recurrence of it is. */
export function firstAlone({ pattern, range }: Recurrence): Recurrence {
  const { startDate, recurrenceTimeZone } = range;
  return { pattern, range: { type: "numbered", numberOfOccurrences: 1, startDate, recurrenceTimeZone } };
}
