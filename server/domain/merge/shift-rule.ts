import { isOnSameClock, type SeriesShift, type SeriesTimes, seriesClock } from "@/server/domain/merge/series-shift";
import { untilText } from "@/server/domain/merge/to-ical-recurrence";
import { type DateValue, readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { instantOn, localOn, midnightOf, readOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { basic } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";

const DAY_MS = 86_400_000;
const timePart = /;?\bBY(HOUR|MINUTE|SECOND)=([^;]*)/gi;
const untilPart = /\bUNTIL=([^;]*)/i;
const withinDay = /\bFREQ=(?:HOURLY|MINUTELY|SECONDLY)|\bBY(?:HOUR|MINUTE|SECOND)=/i;

/**
 * Shifts a rule (the text of an RRULE or EXRULE) with its series: it admits the same occurrences, and has the form that
 * RFC 5545 §3.3.10 asks for. Times of day that it names follow DTSTART if all of them stay within the day, and are
 * dropped in an all-day series.
 */
export function shiftRule(text: string, shift: SeriesShift): string {
  const { from, to } = shift;
  const isTimed = !from.allDay && !to.allDay;
  if (isOnSameClock(shift) && timeOfDay(from.start) === timeOfDay(to.start)) return text;
  const times = isTimed ? shiftedTimes(text, shift) : null;
  const rule = times ?? (to.allDay ? text.replace(timePart, "").replace(/^;/, "") : text);
  const until = readDateValue(untilPart.exec(text)?.[1] ?? "");
  if (until === null || (until.kind === "date" && isTimed)) return rule;
  const isFixed = times === null && text.search(timePart) >= 0;
  const moved = withinDay.test(text) && isTimed ? sameTime(until, shift, isFixed) : endOfDay(until, shift);
  return rule.replace(untilPart, `UNTIL=${moved}`);
}

const units = { HOUR: { ms: 3_600_000, most: 24 }, MINUTE: { ms: 60_000, most: 60 }, SECOND: { ms: 1000, most: 60 } };

/**
 * Shifts the rule's times of day along with DTSTART's. Returns null if it names none, or not all would stay in their
 * day.
 */
function shiftedTimes(text: string, { from, to }: SeriesShift): string | null {
  let isPossible = text.search(timePart) >= 0;
  const shifted = text.replace(timePart, (part, name: string, list: string) => {
    const { ms, most } = units[name.toUpperCase() as keyof typeof units];
    const of = ({ start }: SeriesTimes) => Math.floor(timeOfDay(start) / ms) % most;
    const values = list.split(",").map(Number);
    const moved = values.includes(of(from)) ? values.map((value) => value + of(to) - of(from)) : [Number.NaN];
    if (!moved.every((value) => value >= 0 && value < most)) isPossible = false;
    return part.replace(list, moved.join(","));
  });
  return isPossible ? shifted : null;
}

/**
 * Shifts UNTIL of a rule with several occurrences a day: as much later as they are, or at the same time on the other
 * clock if their times are fixed.
 */
function sameTime(until: DateValue, shift: SeriesShift, isFixed: boolean): string {
  const { from, to } = shift;
  const local = until.kind === "utc" ? readOn(seriesClock(from), until.at) : localOf(until);
  const by = isFixed ? 0 : timeOfDay(to.start) - timeOfDay(from.start) + daysBetween(shift) * DAY_MS;
  return basic(instantOn(seriesClock(to), (local + by) as LocalTime));
}

/** Moves UNTIL to the end of the last day that has an occurrence. */
function endOfDay(until: DateValue, { from, to }: SeriesShift): string {
  const [before, after] = [seriesClock(from), seriesClock(to)];
  if (until.kind === "date") return untilText(until.day, after);
  const local = until.kind === "utc" ? readOn(before, until.at) : until.local;
  const isTooEarly = !from.allDay && timeOfDay(local) < timeOfDay(from.start);
  return untilText((dayAt(local) - (isTooEarly ? 1 : 0) + daysBetween({ from, to })) as Day, after);
}

/** Counts the days between the dates of an instant on the two clocks. */
function daysBetween({ from, to }: SeriesShift): number {
  if (from.allDay || to.allDay) return 0;
  return dayAt(localOn(seriesClock(to), instantOn(seriesClock(from), from.start))) - dayAt(from.start);
}

function localOf(until: Exclude<DateValue, { kind: "utc" }>): LocalTime {
  return until.kind === "date" ? ((until.day * DAY_MS) as LocalTime) : until.local;
}

function dayAt(local: LocalTime): Day {
  return dayOf(local as number as Instant);
}

function timeOfDay(local: LocalTime): number {
  return local - midnightOf(local);
}
