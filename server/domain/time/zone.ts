import type { Day } from "@/server/domain/time/day";
import { formatAtOffset, type Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { offsetFormat, type Step, transitions } from "@/server/domain/time/transitions";
import { tzdbName } from "@/server/domain/time/tzdb-names";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";

/** A time zone. All names of one zone (US/Pacific, America/Los_Angeles) share an object. Created by `zone` alone. */
export interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offsets by year since 1970, filled on demand, because Intl is too slow to be called each time. */
  readonly years: Map<number, Step[]>;
}

const YEAR_MS = 31_556_952_000; // the mean Gregorian year
const MAX_YEARS = 300;
// No clock is further from UTC, and no two changes of one clock are closer than twice this.
const FARTHEST_MS = 16 * 3_600_000;

const byName = new Map<string, Zone>();
const byTimeZone = new Map<string, Zone>();

/** Finds the time zone of a tzdb name, links included, in any case, or null ("Errors": `errors.invalid` on tzid). */
export function zone(tzid: string): Zone | null {
  const name = tzdbName(tzid);
  if (name === null) return null;
  const entry = byName.get(name) ?? find(name);
  if (entry) byName.set(name, entry);
  return entry;
}

function find(name: string): Zone | null {
  try {
    const format = offsetFormat(name);
    const { timeZone } = format.resolvedOptions();
    const found = byTimeZone.get(timeZone) ?? { format, years: new Map() };
    byTimeZone.set(timeZone, found);
    return found;
  } catch {
    // Intl only throws for a name that it does not know.
    return null;
  }
}

export const UTC = zone("Etc/UTC") as Zone;

/** Returns how many seconds the zone's clocks are east of (ahead of) UTC at an instant. */
export function offsetAt(zone: Zone, instant: Instant): number {
  const steps = stepsOf(zone, Math.floor(instant / YEAR_MS));
  for (let i = steps.length - 1; i > 0; i--) {
    const step = steps[i];
    if (step && step.at <= instant) return step.offset;
  }
  return steps[0]?.offset ?? 0;
}

/** Returns the steps of a year, the first at its beginning. */
function stepsOf({ format, years }: Zone, year: number): Step[] {
  const cachedSteps = years.get(year);
  if (cachedSteps) return cachedSteps;
  if (years.size >= MAX_YEARS) years.clear();
  const steps = transitions(format, year * YEAR_MS, (year + 1) * YEAR_MS);
  years.set(year, steps);
  return steps;
}

/** Converts an instant to the zone's local time. */
export function toLocal(zone: Zone, instant: Instant): LocalTime {
  return (instant + offsetAt(zone, instant) * 1000) as number as LocalTime;
}

/**
 * Converts the zone's local time to an instant: in an overlap the first of the two, in a gap later by the gap's length
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

/** Returns the date of an instant in the zone. */
export function localDay(zone: Zone, instant: Instant): Day {
  return dayOf(toLocal(zone, instant) as number as Instant);
}

/** Returns when a date begins in the zone. `toInstant` decides for a midnight in a gap. */
export function midnight(zone: Zone, day: Day): Instant {
  return toInstant(zone, utcMidnight(day) as number as LocalTime);
}

/** Finds the first date whose local midnight is at or after an instant. */
export function firstDayFrom(zone: Zone, instant: Instant): Day {
  // When clocks are set back over midnight, a date repeats whose successor has already begun.
  let day = localDay(zone, instant) - 1;
  while (midnight(zone, day as Day) < instant) day++;
  return day as Day;
}

/** Finds the first date whose local midnight is after an instant. */
export function firstDayAfter(zone: Zone, instant: Instant): Day {
  return firstDayFrom(zone, (instant + 1) as Instant);
}

/**
 * Lists the local midnights of the dates fromDay to toDay (inclusive) as a step function in ascending order, starting
 * at fromDay: `midnight(zone, d)` is `utcMidnight(d)` less the offset (seconds) of the last entry whose day is at or
 * before d.
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
      // A midnight's offset can differ from the one before it only near a change.
      next = Math.max(next, dayOf((at - FARTHEST_MS) as Instant)) as Day;
      extendTo(dayOf((at + FARTHEST_MS) as Instant) + 1);
    }
  }
  return entries;
}

/**
 * Formats an instant with the zone's offset and in whole seconds: `2026-01-02T03:04:05+01:00`, `Z` where the offset is
 * zero (ADR 90). Offsets with seconds, which RFC 3339 cannot write, are rounded to the minute, and the time beside them
 * uses that offset: the text always denotes the same instant.
 */
export function formatZoned(instant: Instant, zone: Zone): string {
  const offset = offsetAt(zone, instant);
  return formatAtOffset(instant, Math.sign(offset) * Math.round(Math.abs(offset) / 60));
}
