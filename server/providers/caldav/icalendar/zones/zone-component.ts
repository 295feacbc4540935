import { localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { civil, type Day, dayFromCivil, daysInMonth, weekday } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { type Step, transitions } from "@/server/domain/time/transitions";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { line } from "@/server/providers/caldav/icalendar/text/content-line";
import type { NamedZone } from "@/server/providers/zone-names";

/** A clock change. Offsets in seconds east of UTC. */
interface Change {
  at: number;
  from: number;
  to: number;
}

/** The days of a month, `first` to `first + 6` or its last seven. The one with the weekday has the change. */
type Week = { first: number } | "last";

const DAY_MS = 86_400_000;
/** Weekdays and dates repeat after this many years. */
const CYCLE_YEARS = 28;
/** How many years of clock changes are listed for a zone that follows no rule. */
const LISTED_YEARS = 10;
const names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const MOST_REMEMBERED = 200;
const remembered = new Map<string, Component>();

/**
 * Gives the VTIMEZONE of a zone, correct from the year of an instant on: as RRULEs from when its clocks follow a rule for a generation.
 * Changes before that, and of a zone that follows no rule until ten years after `now`, are listed one by one.
 */
export function zoneComponent(named: NamedZone, from: Instant, now: Instant): Component {
  const [first, last] = [yearOf(from) - 1, Math.max(yearOf(from), yearOf(now)) + 1];
  const key = `${named.tzid} ${first} ${last}`;
  const made = remembered.get(key) ?? described(named, first, last);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, made);
  return made;
}

function described({ tzid, zone: { format } }: NamedZone, first: number, last: number): Component {
  const components: Component[] = [];
  for (let year = first; ; year++) {
    const [initial, ...changes] = changesIn(format, year, year + 1);
    if (year === first) components.push(observance({ at: initial.at, from: initial.offset, to: initial.offset }));
    if (year > last + LISTED_YEARS) break;
    const rules = year > last ? null : rulesFor(format, year, changes);
    components.push(...changes.map((change, i) => observance(change, rules?.[i])));
    if (rules) break;
  }
  return { name: "VTIMEZONE", lines: [line("TZID", tzid)], components };
}

function changesIn(format: Intl.DateTimeFormat, from: number, to: number): [Step, ...Change[]] {
  const [initial, ...steps] = transitions(format, startOf(from), startOf(to));
  let before = initial.offset;
  const changes = steps.map(({ at, offset }) => {
    const change = { at, from: before, to: offset };
    before = offset;
    return change;
  });
  return [initial, ...changes];
}

/** Writes the RRULE of each change of a year. Returns null if the following years don't match the rules. */
function rulesFor(format: Intl.DateTimeFormat, year: number, changes: readonly Change[]): string[] | null {
  if (changes.length === 0) return keeps(format, startOf(year), startOf(year + CYCLE_YEARS)) ? [] : null;
  if (changes.length !== 2) return null;
  const rules = changes.map((change) => ruleFor(format, change));
  return rules.every((rule) => rule !== null) ? rules : null;
}

function keeps(format: Intl.DateTimeFormat, from: number, to: number): boolean {
  const offset = offsetAt(format, from);
  for (let at = from; at < to; at += 45 * DAY_MS) if (offsetAt(format, at) !== offset) return false;
  return true;
}

function ruleFor(format: Intl.DateTimeFormat, change: Change): string | null {
  const local = change.at + change.from * 1000;
  const { year, month, dayOfMonth } = civil(dayOf(local as Instant));
  const named = weekday(dayOf(local as Instant));
  const week = weeksWith(dayOfMonth, daysInMonth(year, month)).find((one) => {
    for (let next = year + 1; next <= year + CYCLE_YEARS; next++) {
      const day = dayIn(one, named, next, month);
      const at = utcMidnight(day) + (((local % DAY_MS) + DAY_MS) % DAY_MS) - change.from * 1000;
      if (offsetAt(format, at - 1000) !== change.from || offsetAt(format, at) !== change.to) return false;
    }
    return true;
  });
  return week === undefined ? null : `FREQ=YEARLY;BYMONTH=${month};${byDay(week, named)}`;
}

function weeksWith(dayOfMonth: number, length: number): Week[] {
  const nth = { first: Math.floor((dayOfMonth - 1) / 7) * 7 + 1 };
  const others = Array.from({ length: 7 }, (_, i) => ({ first: dayOfMonth - i }));
  const whole = [nth, ...others].filter(({ first }) => first >= 1 && first + 6 <= 28);
  return dayOfMonth + 7 > length ? ["last", ...whole] : whole;
}

function dayIn(week: Week, named: number, year: number, month: number): Day {
  const first = dayFromCivil(year, month, week === "last" ? daysInMonth(year, month) - 6 : week.first);
  return (first + ((named - weekday(first) + 7) % 7)) as Day;
}

function byDay(week: Week, named: number): string {
  const name = names[named] ?? "";
  if (week === "last") return `BYDAY=-1${name}`;
  if (week.first % 7 === 1) return `BYDAY=${(week.first - 1) / 7 + 1}${name}`;
  return `BYMONTHDAY=${Array.from({ length: 7 }, (_, i) => week.first + i).join(",")};BYDAY=${name}`;
}

function observance({ at, from, to }: Change, rule?: string): Component {
  const lines = [
    line("DTSTART", localText((at + from * 1000) as LocalTime)),
    line("TZOFFSETFROM", offsetText(from)),
    line("TZOFFSETTO", offsetText(to)),
    ...(rule === undefined ? [] : [line("RRULE", rule)]),
  ];
  return { name: to > from ? "DAYLIGHT" : "STANDARD", lines, components: [] };
}

function offsetText(offset: number): string {
  const [east, seconds] = [Math.abs(offset), Math.abs(offset) % 60];
  const parts = [Math.floor(east / 3600), Math.floor(east / 60) % 60, ...(seconds > 0 ? [seconds] : [])];
  return `${offset < 0 ? "-" : "+"}${parts.map((part) => String(part).padStart(2, "0")).join("")}`;
}

function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  return transitions(format, at, at + 1000)[0].offset;
}

function startOf(year: number): number {
  return utcMidnight(dayFromCivil(year, 1, 1));
}

function yearOf(at: Instant): number {
  return civil(dayOf(at)).year;
}
