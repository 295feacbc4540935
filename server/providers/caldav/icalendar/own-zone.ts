import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { expandRrule } from "@/server/domain/recurrence/rfc5545/expand-rrule";
import { type Rrule, readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import type { Component } from "@/server/providers/caldav/icalendar/calendar-object";
import { propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/content-line";

/** The clocks that a VTIMEZONE describes (RFC 5545 §3.6.5), of a zone that no database need know. */
export interface OwnZone {
  observances: readonly Observance[];
}

/** STANDARD or DAYLIGHT; offsets in seconds east of UTC, times as the clocks before the change show them. */
interface Observance {
  from: number;
  to: number;
  starts: LocalTime;
  dates: readonly LocalTime[];
  rule: Rrule | null;
}

const DAY_MS = 86_400_000;
const FIVE_YEARS_MS = 5 * 366 * DAY_MS;
const MOST_OBSERVANCES = 300;
const STEPS = 5_000;

/** Reads a VTIMEZONE; null when no part of it can be read. */
export function readOwnZone({ components }: Component): OwnZone | null {
  const observances = components.slice(0, MOST_OBSERVANCES).flatMap((one) => readObservance(one) ?? []);
  return observances.length > 0 ? { observances } : null;
}

/** When the zone's clocks show a local time: in a gap later by its length, in an overlap the first (RFC 5545 §3.3.5). */
export function ownInstant(zone: OwnZone, local: LocalTime): Instant {
  return (local - offsetOn(zone, local) * 1000) as number as Instant;
}

/** The changes of the clocks within a span of local times, ascending. */
export function ownChanges({ observances }: OwnZone, from: LocalTime, to: LocalTime): LocalTime[] {
  const found = observances.flatMap((one) => onsets(one, from, to));
  return [...new Set(found)].sort((a, b) => a - b);
}

function offsetOn({ observances }: OwnZone, local: LocalTime): number {
  let last: { at: LocalTime; one: Observance } | null = null;
  for (const one of observances) {
    const at = lastOnset(one, local);
    if (at !== null && (last === null || at > last.at)) last = { at, one };
  }
  if (last) {
    const { from, to } = last.one;
    return local < last.at + (to - from) * 1000 ? from : to;
  }
  const [first] = [...observances].sort((a, b) => a.starts - b.starts);
  return first?.from ?? 0;
}

/** When it began the last time, at or before a local time. */
function lastOnset(one: Observance, local: LocalTime): LocalTime | null {
  if (one.starts > local) return null;
  const end = one.rule?.until ? Math.min(local, endOf(one)) : local;
  const recent = onsets(one, (end - FIVE_YEARS_MS) as LocalTime, local);
  return recent.at(-1) ?? one.starts;
}

function onsets({ starts, dates, rule }: Observance, from: LocalTime, to: LocalTime): LocalTime[] {
  const clock = { allDay: false, zone: null };
  const byRule = rule ? expandRrule(rule, { start: starts, from, to, clock, startCounts: true }, { steps: STEPS }) : [];
  const all = [starts, ...dates, ...byRule].filter((at) => at >= from && at <= to);
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

function readObservance(component: Component): Observance | null {
  const starts = localOf(propertyOf(component, "DTSTART")?.value);
  const to = readOffset(propertyOf(component, "TZOFFSETTO")?.value);
  const from = readOffset(propertyOf(component, "TZOFFSETFROM")?.value) ?? to;
  if (starts === null || to === null || from === null) return null;
  const dates = propertiesOf(component, "RDATE").flatMap(({ value }) => value.split(",").map((text) => localOf(text)));
  return {
    from,
    to,
    starts,
    dates: dates.filter((date) => date !== null),
    rule: readRule(propertyOf(component, "RRULE")?.value, from),
  };
}

/** UNTIL stands in UTC, everything else on the clocks before the change. */
function readRule(text: string | undefined, from: number): Rrule | null {
  const rule = text === undefined ? null : readRrule(text);
  if (!rule || "problem" in rule) return null;
  if (rule.until?.kind !== "utc") return rule;
  return { ...rule, until: { kind: "local", local: (rule.until.at + from * 1000) as number as LocalTime } };
}

function localOf(text: string | undefined): LocalTime | null {
  const value = text === undefined ? null : readDateValue(text);
  if (!value) return null;
  if (value.kind === "date") return (value.day * DAY_MS) as LocalTime;
  return (value.kind === "utc" ? value.at : value.local) as number as LocalTime;
}

function readOffset(text: string | undefined): number | null {
  const [, sign, hours, minutes, seconds = "0"] = /^\s*([+-]?)(\d{2}):?(\d{2}):?(\d{2})?\s*$/.exec(text ?? "") ?? [];
  if (hours === undefined) return null;
  const east = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -east : east;
}
