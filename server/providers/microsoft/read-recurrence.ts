import { instantOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { basic } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { parseDay } from "@/server/domain/time/day";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { objectOf, textOf } from "@/server/providers/json-values";

const DAY_MS = 86_400_000;
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const positions: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 };
/** In years that have no leap day. */
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Gives the rule of a series as RFC 5545 says it (patternedRecurrence). A day that a month does not have is its last day there ("The last day of
 * every month can be represented by the value 31", CDO, DayOfMonth), which RFC 5545 would leave out.
 * @returns null for a pattern that this version of Graph does not have
 */
export function ruleOf(recurrence: unknown, clock: SeriesClock): string | null {
  const { pattern, range } = objectOf(recurrence);
  const days = daysOf(objectOf(pattern));
  const end = endOf(objectOf(range), clock);
  const interval = Number(objectOf(pattern).interval);
  if (days === null || end === null) return null;
  return `${days}${interval > 1 ? `;INTERVAL=${interval}` : ""}${end}`;
}

function daysOf(pattern: Record<string, unknown>): string | null {
  const month = Number(pattern.month);
  const yearly = `FREQ=YEARLY;BYMONTH=${month}`;
  const isMonth = monthLengths[month - 1] !== undefined;
  const prefixed = (prefix: string, days: string | null) => days && `${prefix};${days}`;
  switch (textOf(pattern.type)) {
    case "daily":
      return "FREQ=DAILY";
    case "weekly":
      return prefixed("FREQ=WEEKLY", weekly(pattern));
    case "absoluteMonthly":
      return prefixed("FREQ=MONTHLY", dayOfMonth(pattern, 28));
    case "relativeMonthly":
      return prefixed("FREQ=MONTHLY", nthOf(pattern));
    case "absoluteYearly":
      return isMonth ? prefixed(yearly, dayOfMonth(pattern, monthLengths[month - 1] ?? 28)) : null;
    case "relativeYearly":
      return isMonth ? prefixed(yearly, nthOf(pattern)) : null;
    default:
      return null;
  }
}

/** Converts a weekly pattern to parts of a rule. "firstDayOfWeek: … Default is sunday." */
function weekly({ daysOfWeek, firstDayOfWeek }: Record<string, unknown>): string | null {
  const days = namesOf(daysOfWeek);
  const first = shortOf(firstDayOfWeek) ?? "SU";
  return days.length > 0 ? `BYDAY=${days.join(",")};WKST=${first}` : null;
}

/**
 * Converts a day of the month to parts of a rule.
 * @param always the last day that all these months have
 */
function dayOfMonth({ dayOfMonth: given }: Record<string, unknown>, always: number): string | null {
  const day = Number(given);
  if (!Number.isInteger(day) || day < 1 || day > 31) return null;
  if (day <= always) return `BYMONTHDAY=${day}`;
  const days = Array.from({ length: day - always + 1 }, (_, i) => always + i);
  return `BYMONTHDAY=${days.join(",")};BYSETPOS=-1`;
}

/**
 * Converts a relative pattern to parts of a rule. "If … daysOfWeek specifies more than one day, the event falls on the
 * first day that satisfies the pattern."
 */
function nthOf({ daysOfWeek, index = "first" }: Record<string, unknown>): string | null {
  const days = namesOf(daysOfWeek);
  const nth = positions[String(index)];
  if (nth === undefined || days.length === 0) return null;
  return days.length === 1 ? `BYDAY=${nth}${days[0]}` : `BYDAY=${days.join(",")};BYSETPOS=${nth}`;
}

function namesOf(value: unknown): string[] {
  const named = Array.isArray(value) ? value.map(shortOf) : [];
  return [...new Set(named.filter((day) => day !== null))];
}

function shortOf(value: unknown): string | null {
  const name = String(value).toLowerCase();
  return weekdays.includes(name) ? name.slice(0, 2).toUpperCase() : null;
}

/**
 * Converts the end of a recurrence to the end of a rule. An occurrence on the end date ("The date to stop applying the
 * recurrence pattern") is the last.
 */
function endOf({ type, endDate, numberOfOccurrences }: Record<string, unknown>, clock: SeriesClock): string | null {
  if (type === "noEnd") return "";
  if (type === "numbered") return Number(numberOfOccurrences) > 0 ? `;COUNT=${Number(numberOfOccurrences)}` : null;
  const day = type === "endDate" ? parseDay((textOf(endDate) ?? "").slice(0, 10)) : null;
  if (day === null) return null;
  if (clock.allDay) return `;UNTIL=${textOf(endDate)?.slice(0, 10).replaceAll("-", "")}`;
  const last = ((day + 1) * DAY_MS - 1_000) as LocalTime;
  return `;UNTIL=${basic(instantOn(clock, last))}`;
}
