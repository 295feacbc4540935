import type { Budget } from "@/server/domain/recurrence/rfc5545/budget";
import { expandRrule } from "@/server/domain/recurrence/rfc5545/expand-rrule";
import { type Rrule, readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { readDate } from "@/server/providers/caldav/icalendar/lenient/dates";
import { standardRule } from "@/server/providers/caldav/icalendar/lenient/rules";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";

/** The clocks that a VTIMEZONE describes (RFC 5545 §3.6.5), for a zone that may be in no database. */
export interface OwnZone {
  observances: readonly Observance[];
  /** Its clock changes by year, computed when a year is requested. */
  years: Map<number, Change[]>;
  budget: Budget;
}

/** A clock change at its local time before. Offsets in seconds east of UTC. */
interface Change {
  at: LocalTime;
  from: number;
  to: number;
}

/** STANDARD or DAYLIGHT. Offsets in seconds east of UTC, times on the clock before the change. */
interface Observance {
  from: number;
  to: number;
  starts: LocalTime;
  dates: readonly LocalTime[];
  rule: Rrule | null;
  /** When it began in its last years, for an observance that has ended. */
  last?: LocalTime[];
}

const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;
const FIVE_YEARS_MS = 5 * YEAR_MS;
const MOST_OBSERVANCES = 300;
/** Limits of one VTIMEZONE, which is untrusted: dates, requested years, and the steps of all its rules together. */
const MOST_DATES = 2_000;
const MOST_YEARS = 120;
const STEPS = 20_000;

/** Reads a VTIMEZONE. Null when no part of it can be read. */
export function readOwnZone({ components }: Component): OwnZone | null {
  let left = MOST_DATES;
  const observances = components.slice(0, MOST_OBSERVANCES).flatMap((one) => {
    const read = readObservance(one, left);
    left -= read?.dates.length ?? 0;
    return read ?? [];
  });
  return observances.length > 0 ? { observances, years: new Map(), budget: { steps: STEPS } } : null;
}

/**
 * Gives the instant at which the zone's clocks show a local time: shifted by the length of a gap, the first one in an overlap (RFC 5545
 * §3.3.5).
 */
export function ownInstant(zone: OwnZone, local: LocalTime): Instant {
  return (local - offsetOn(zone, local) * 1000) as number as Instant;
}

/** Gives the clock changes within a span of local times, ascending. */
export function ownChanges({ observances, budget }: OwnZone, from: LocalTime, to: LocalTime): LocalTime[] {
  const found = observances.flatMap((one) => onsets(one, { from, to, budget }));
  return [...new Set(found)].sort((a, b) => a - b);
}

function offsetOn(zone: OwnZone, local: LocalTime): number {
  const changes = changesUpTo(zone, Math.floor(local / YEAR_MS));
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.at ?? 0) <= local) low = middle + 1;
    else high = middle;
  }
  const last = changes[low - 1];
  if (last) return local < last.at + (last.to - last.from) * 1000 ? last.from : last.to;
  const [first] = [...zone.observances].sort((a, b) => a.starts - b.starts);
  return first?.from ?? 0;
}

/**
 * Lists the changes of a year, and when each observance last began before it. If two changes happen at the same time,
 * the first one listed wins.
 */
function changesUpTo({ observances, years, budget }: OwnZone, year: number): Change[] {
  const known = years.get(year);
  if (known) return known;
  if (years.size >= MOST_YEARS) return [];
  const [begin, to] = [year * YEAR_MS, ((year + 1) * YEAR_MS) as LocalTime];
  const found = new Map<LocalTime, Change>();
  for (const one of observances.filter(({ starts }) => starts <= to)) {
    const from = (Math.min(begin, endOf(one)) - FIVE_YEARS_MS) as LocalTime;
    if (endOf(one) < begin) one.last ??= onsets(one, { from, to, budget });
    for (const at of [one.starts, ...(one.last ?? onsets(one, { from, to, budget }))]) {
      if (!found.has(at)) found.set(at, { at, from: one.from, to: one.to });
    }
  }
  const changes = [...found.values()].sort((a, b) => a.at - b.at);
  years.set(year, changes);
  return changes;
}

function onsets(
  { starts, dates, rule }: Observance,
  { from, to, budget }: { from: LocalTime; to: LocalTime; budget: Budget },
): LocalTime[] {
  const clock = { allDay: false, zone: null };
  const byRule = rule ? expandRrule(rule, { start: starts, from, to, clock, startCounts: true }, budget) : [];
  const all = [starts, ...dates, ...byRule].filter((at) => at !== null && at >= from && at <= to) as LocalTime[];
  return all.sort((a, b) => a - b);
}

function endOf({ rule }: Observance): number {
  if (!rule?.until) return Number.POSITIVE_INFINITY;
  return rule.until.kind === "date"
    ? (rule.until.day + 1) * DAY_MS
    : rule.until.kind === "utc"
      ? rule.until.at
      : rule.until.local;
}

function readObservance(component: Component, most: number): Observance | null {
  const starts = localOf(propertyOf(component, "DTSTART")?.value);
  const to = readOffset(propertyOf(component, "TZOFFSETTO")?.value);
  const from = readOffset(propertyOf(component, "TZOFFSETFROM")?.value) ?? to;
  if (starts === null || to === null || from === null) return null;
  const dates = propertiesOf(component, "RDATE", most)
    .flatMap(({ value }) => value.split(",", most))
    .slice(0, most)
    .map(localOf);
  return {
    from,
    to,
    starts,
    dates: dates.filter((date) => date !== null),
    rule: readRule(propertyOf(component, "RRULE")?.value, from),
  };
}

/** Reads a rule in which UNTIL is in UTC and everything else is on the clock before the change. */
function readRule(text: string | undefined, from: number): Rrule | null {
  const rule = text === undefined ? null : readRrule(standardRule(text));
  if (!rule || "problem" in rule) return null;
  if (rule.until?.kind !== "utc") return rule;
  return { ...rule, until: { kind: "local", local: (rule.until.at + from * 1000) as number as LocalTime } };
}

function localOf(text: string | undefined): LocalTime | null {
  const value = text === undefined ? null : readDate(text);
  if (!value) return null;
  if (value.kind === "date") return (value.day * DAY_MS) as LocalTime;
  return (value.kind === "utc" ? value.at : value.local) as number as LocalTime;
}

function readOffset(text: string | undefined): number | null {
  const [, sign, hours, minutes, seconds = "0"] = /^\s*([+-]?)(\d{1,2}):?(\d{2}):?(\d{2})?\s*$/.exec(text ?? "") ?? [];
  if (hours === undefined) return null;
  const east = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -east : east;
}
