import type { Rule } from "@/server/domain/recurrence/rule";
import type { Series } from "@/server/domain/recurrence/series";
import { firstDayOf } from "@/server/domain/recurrence/spans";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { namedZone } from "@/tests/unit/time/named-zone";

const names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export function day(text: string): Day {
  const read = parseDay(text);
  if (read === null) throw new Error(`${text} is not a date`);
  return read;
}

export function dates(days: readonly Day[]): string[] {
  return days.map(formatDay);
}

export function at(text: string): Instant {
  return Date.parse(text) as Instant;
}

/** A rule in short: `weekly 2 tue,thu count=5`, `monthly 1mon,-1fri until=2027-01-01`. */
export function rule(text: string): Rule {
  const [frequency, ...parts] = text.split(" ");
  const found: Rule = { frequency: frequency as Rule["frequency"], interval: 1, count: null, until: null, byDay: [] };
  for (const part of parts) {
    if (/^\d+$/.test(part)) found.interval = Number(part);
    else if (part.startsWith("count=")) found.count = Number(part.slice(6));
    else if (part.startsWith("until=")) found.until = day(part.slice(6));
    else found.byDay = part.split(",").map(weekdayOf);
  }
  return found;
}

function weekdayOf(text: string): Rule["byDay"][number] {
  const weekday = names.indexOf(text.slice(-3));
  if (weekday < 0) throw new Error(`${text} is not a day of the week`);
  return { weekday, nth: text.length > 3 ? Number(text.slice(0, -3)) : null };
}

/** A timed series from `start` to `end` (instants) in a zone. */
export function timed(short: string, [start, end]: [string, string], tzid: string): Series {
  const first = { allDay: false, starts: at(start), ends: at(end) };
  const zone = namedZone(tzid);
  return { rule: rule(short), first, zone, firstDay: firstDayOf({ first, zone }), skipped: [], changed: [] };
}

/** An all-day series from `start` to `end` (dates, the end exclusive). */
export function allDay(short: string, [start, end]: [string, string]): Series {
  const first = { allDay: true, starts: utcMidnight(day(start)), ends: utcMidnight(day(end)) };
  return { rule: rule(short), first, zone: null, firstDay: day(start), skipped: [], changed: [] };
}
