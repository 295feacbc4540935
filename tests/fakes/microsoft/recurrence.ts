import type { DayOfWeek, PatternedRecurrence } from "@microsoft/microsoft-graph-types";
import { RRuleTemporal } from "rrule-temporal";
import type { Knobs } from "./state";

/** Of a series without a bound, so many dates are computed at most. */
const MOST_COMPUTED = 20_000;

const positions = { first: 1, second: 2, third: 3, fourth: 4, last: -1 } as const;
const short = (day: DayOfWeek) => day.slice(0, 2).toUpperCase();

/**
 * The dates of a recurrence up to and with `to`. Computed by rrule-temporal on days in UTC, which have no gaps: what Exchange does with an
 * hour that does not exist is decided where a date becomes a time.
 */
export function datesOf(
  knobs: Knobs,
  { pattern, range }: PatternedRecurrence,
  to: string,
  most = MOST_COMPUTED,
): string[] {
  const from = (range?.startDate ?? "").replaceAll("-", "");
  const rule = new RRuleTemporal({
    rruleString: `DTSTART:${from}T000000Z\nRRULE:${ruleOf(knobs, { pattern, range })}`,
    // "The first occurrence of the meeting may be this date or later, depending on the recurrence pattern of the event."
    includeDtstart: false,
  });
  const days: string[] = [];
  rule.all((date) => {
    const day = date.toPlainDate().toString();
    if (day > to || days.length >= most) return false;
    days.push(day);
    return true;
  });
  return days;
}

/** A pattern in the words of RFC 5545. */
function ruleOf(knobs: Knobs, { pattern, range }: PatternedRecurrence): string {
  const { type, interval, daysOfWeek, firstDayOfWeek, index } = pattern ?? {};
  const weekdays = (daysOfWeek ?? []).map(short).join(",");
  // "Specifies on which instance of the allowed days … counted from the first instance in the month": the n-th of all of them.
  const relative = `BYDAY=${weekdays};BYSETPOS=${positions[index ?? "first"]}`;
  const month = `BYMONTH=${pattern?.month}`;
  const day = dayRule(knobs, pattern?.dayOfMonth ?? 1);
  const forms = {
    daily: "FREQ=DAILY",
    weekly: `FREQ=WEEKLY;BYDAY=${weekdays};WKST=${short(firstDayOfWeek ?? "sunday")}`,
    absoluteMonthly: `FREQ=MONTHLY;${day}`,
    relativeMonthly: `FREQ=MONTHLY;${relative}`,
    absoluteYearly: `FREQ=YEARLY;${month};${day}`,
    relativeYearly: `FREQ=YEARLY;${month};${relative}`,
  };
  return `${forms[type ?? "daily"]};INTERVAL=${interval}${endOf({ range })}`;
}

function endOf({ range }: PatternedRecurrence): string {
  if (range?.type === "numbered") return `;COUNT=${range.numberOfOccurrences}`;
  // "The date to stop applying the recurrence pattern": the date itself is included.
  return range?.type === "endDate" ? `;UNTIL=${range.endDate?.replaceAll("-", "")}T000000Z` : "";
}

/**
 * CDO reference of DayOfMonth: "The last day of every month can be represented by the value 31", and the 29 February is the 28 in other years.
 * RFC 5545 would leave such months out.
 */
function dayRule({ shortMonths }: Knobs, day: number): string {
  if (day < 29 || shortMonths === "skipped") return `BYMONTHDAY=${day}`;
  const days = Array.from({ length: day - 27 }, (_, index) => 28 + index);
  return `BYMONTHDAY=${days.join(",")};BYSETPOS=-1`;
}
