import type { Day } from "@/server/domain/time/day";
import { formatAtOffset, type Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { offsetFormat, type Step, transitions } from "@/server/domain/time/transitions";
import { tzdbName } from "@/server/domain/time/tzdb-names";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";

/** A time zone; names of one zone (US/Pacific, America/Los_Angeles) give the same object. Made by `zone` alone. */
export interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offsets by year since 1970, filled as years are asked for: Intl is too slow to be asked each time. */
  readonly years: Map<number, Step[]>;
}

const YEAR_MS = 31_556_952_000; // the mean Gregorian year
const MAX_YEARS = 300;
// No clock stands further from UTC, and no two changes of one clock stand closer than twice this.
const FARTHEST_MS = 16 * 3_600_000;

const byName = new Map<string, Zone>();
const byTimeZone = new Map<string, Zone>();

/** The time zone of a tzdb name, links included, in any case; null when there is none ("Errors": `errors.invalid` on tzid). */
export function zone(tzid: string): Zone | null {
  const name = tzdbName(tzid);
  if (name === null) return null;
  const known = byName.get(name) ?? find(name);
  if (known) byName.set(name, known);
  return known;
}

function find(name: string): Zone | null {
  try {
    const format = offsetFormat(name);
    const { timeZone } = format.resolvedOptions();
    const found = byTimeZone.get(timeZone) ?? { format, years: new Map() };
    byTimeZone.set(timeZone, found);
    return found;
  } catch {
    // Throwing is Intl's only answer to a name that it does not know.
    return null;
  }
}

/** How many seconds the zone's clocks stand east of (ahead of) UTC at an instant. */
export function offsetAt(zone: Zone, instant: Instant): number {
  const steps = stepsOf(zone, Math.floor(instant / YEAR_MS));
  for (let i = steps.length - 1; i > 0; i--) {
    const step = steps[i];
    if (step && step.at <= instant) return step.offset;
  }
  return steps[0]?.offset ?? 0;
}

/** The steps of a year; the first stands at the year's beginning. */
function stepsOf({ format, years }: Zone, year: number): Step[] {
  const known = years.get(year);
  if (known) return known;
  if (years.size >= MAX_YEARS) years.clear();
  const steps = transitions(format, year * YEAR_MS, (year + 1) * YEAR_MS);
  years.set(year, steps);
  return steps;
}

/** What the zone's clocks show at an instant. */
export function toLocal(zone: Zone, instant: Instant): LocalTime {
  return (instant + offsetAt(zone, instant) * 1000) as number as LocalTime;
}

/**
 * When the zone's clocks show a local time: in an overlap the first of the two, in a gap later by the gap's length
 * (RFC 5545 §3.3.5; Temporal's "compatible"; ADR 90).
 */
export function toInstant(zone: Zone, local: LocalTime): Instant {
  const before = offsetAt(zone, (local - FARTHEST_MS) as number as Instant);
  const after = offsetAt(zone, (local + FARTHEST_MS) as number as Instant);
  const first = (local - before * 1000) as number as Instant;
  if (before === after || offsetAt(zone, first) === before) return first;
  const second = (local - after * 1000) as number as Instant;
  return offsetAt(zone, second) === after ? second : first;
}

/** The date that the zone's clocks show at an instant. */
export function localDay(zone: Zone, instant: Instant): Day {
  return dayOf(toLocal(zone, instant) as number as Instant);
}

/** When a date begins in the zone; where its midnight is in a gap, `toInstant` says when. */
export function midnight(zone: Zone, day: Day): Instant {
  return toInstant(zone, utcMidnight(day) as number as LocalTime);
}

/** The first date whose local midnight is at or after an instant. */
export function firstDayFrom(zone: Zone, instant: Instant): Day {
  // Clocks set back over midnight show a date again whose successor has already begun.
  let day = localDay(zone, instant) - 1;
  while (midnight(zone, day as Day) < instant) day++;
  return day as Day;
}

/** The first date whose local midnight is after an instant. */
export function firstDayAfter(zone: Zone, instant: Instant): Day {
  return firstDayFrom(zone, (instant + 1) as Instant);
}

/**
 * The local midnights of the dates fromDay to toDay (inclusive) as a step function in ascending order, starting at fromDay:
 * `midnight(zone, d)` is `utcMidnight(d)` less the offset (seconds) of the last entry whose day is at or before d.
 */
export function midnightOffsets(zone: Zone, fromDay: Day, toDay: Day): { day: Day; offset: number }[] {
  const entries: { day: Day; offset: number }[] = [];
  let next = fromDay;
  const extendTo = (last: number) => {
    for (; next <= Math.min(last, toDay); next++) {
      const offset = (utcMidnight(next) - midnight(zone, next)) / 1000;
      if (entries[entries.length - 1]?.offset !== offset) entries.push({ day: next, offset });
    }
  };
  extendTo(fromDay);
  const lastYear = Math.floor((utcMidnight(toDay) + FARTHEST_MS) / YEAR_MS);
  for (let year = Math.floor((utcMidnight(fromDay) - FARTHEST_MS) / YEAR_MS); year <= lastYear; year++) {
    for (const { at } of stepsOf(zone, year)) {
      // Only near a change can a midnight's offset differ from the one before it.
      next = Math.max(next, dayOf((at - FARTHEST_MS) as Instant)) as Day;
      extendTo(dayOf((at + FARTHEST_MS) as Instant) + 1);
    }
  }
  return entries;
}

/**
 * The instant with the zone's offset and in whole seconds: `2026-01-02T03:04:05+01:00`, `Z` where the offset is zero
 * (ADR 90). Offsets with seconds, which RFC 3339 cannot write, are rounded to the minute, and the time beside
 * them is that offset's: the text always denotes the same instant.
 */
export function formatZoned(instant: Instant, zone: Zone): string {
  const offset = offsetAt(zone, instant);
  return formatAtOffset(instant, Math.sign(offset) * Math.round(Math.abs(offset) / 60));
}
