import { type Interval, intersect, union } from "@/server/domain/availability/intervals";
import { type Day, weekday } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { localDay, offsetAt, toInstant, toLocal, type Zone } from "@/server/domain/time/zone";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The names of the days, Monday first as `weekday` counts them. */
export const weekdayNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** Hours of work on one day of the week, by the clock on the wall. Hours over midnight are two of these. */
export interface WorkingHours {
  day: (typeof weekdayNames)[number];
  /** `hh:mm`, from 00:00 to 23:59. */
  start: string;
  /** Exclusive, `hh:mm`, up to 24:00, which is the next day's midnight. */
  end: string;
}

/**
 * Expands weekly hours to the time that they cover in a range, merged and in order. A time that a clock change skips
 * is the moment of the change, one that it repeats is the first of the two (`toInstant`). Hours that end at or
 * before their start, by themselves or by a clock change, are left out.
 */
export function workingHours(hours: readonly WorkingHours[], zone: Zone, range: Interval): Interval[] {
  const expanded: Interval[] = [];
  // A day beside the range may reach into it: where clocks are set back over midnight, the next day has already begun before, and where they
  // are set forward, the end of hours may move past midnight.
  const last = localDay(zone, range.end) + 1;
  for (let day = localDay(zone, range.start) - 1; day <= last; day++) {
    for (const one of hours) {
      if (weekdayNames[weekday(day as Day)] !== one.day) continue;
      expanded.push({ start: timeOn(day as Day, one.start, zone), end: timeOn(day as Day, one.end, zone) });
    }
  }
  return intersect([range], union(expanded));
}

function timeOn(day: Day, time: string, zone: Zone): Instant {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  const local = (utcMidnight(day) + minutes * MINUTE_MS) as number as LocalTime;
  const instant = toInstant(zone, local);
  return toLocal(zone, instant) === local ? instant : changeBefore(zone, instant);
}

/** Returns the change of clocks that skipped a local time, which `toInstant` has moved behind it: by less than a day. */
function changeBefore(zone: Zone, instant: Instant): Instant {
  const offset = offsetAt(zone, instant);
  let [before, after] = [instant - DAY_MS, instant as number];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle as Instant) === offset) after = middle;
    else before = middle;
  }
  return after as Instant;
}
