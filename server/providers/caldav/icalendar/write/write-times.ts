import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import { basic, dateText, lengthText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, toLocal } from "@/server/domain/time/zone";
import type { Times } from "@/server/providers/caldav/icalendar/read/read-times";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { line, replaceLines } from "@/server/providers/caldav/icalendar/text/content-line";
import { hasStandardTimes } from "@/server/providers/caldav/icalendar/write/standard-lines";
import type { ZoneToWrite } from "@/server/providers/caldav/icalendar/write/zone-to-write";

/** The form of an event's times: dates, local times of a zone, or, without one, UTC. */
export interface Form {
  allDay: boolean;
  named: ZoneToWrite | null;
}

export interface TimesToWrite extends Form {
  starts: Instant;
  ends: Instant;
  /** DTSTART is the start of a series: it stays on its zone's clock, even across clock changes. */
  start?: LocalTime;
  /** A length of whole days, which clock changes may make longer or shorter. */
  duration?: Duration;
}

const DAY_MS = 86_400_000;

/**
 * Writes DTSTART and DTEND unless they are equal already, in spellings that strict readers understand. The second of two equal local times is written in UTC, and an all-day event
 * of no days, which iCalendar cannot express, as one day. A timed event of no length has no DTEND, which must be later than DTSTART
 * (RFC 5545 §3.6.1, §3.8.2.2): there are servers that refuse one that is equal.
 * @returns whether the times are others
 */
export function writeTimes(component: Component, now: TimesToWrite, before: Times | null): boolean {
  const isSame = before !== null && sameTimes(now, before);
  if (isSame && hasStandardTimes(component)) return false;
  const { allDay, starts, ends, start, duration } = now;
  const first = start === undefined ? timeLine("DTSTART", starts, now) : localLine("DTSTART", start, now);
  const last = allDay ? Math.max(ends, starts + DAY_MS) : ends;
  const isLength = duration !== undefined && isNominal(now);
  const end = isLength ? line("DURATION", lengthText(duration)) : timeLine("DTEND", last as Instant, now);
  const hasLength = allDay || ends > starts;
  replaceLines(component, ["DTSTART", "DTEND", "DURATION"], hasLength ? [first, end] : [first]);
  return !isSame;
}

/** Writes a property with an instant in an event's form. */
function timeLine(name: string, at: Instant, { allDay, named }: Form): string {
  if (allDay) return localLine(name, at as number as LocalTime, { allDay, named });
  return onClock(at, named) === null
    ? line(name, basic(at))
    : localLine(name, toLocalTime(at, named), { allDay, named });
}

/** Gives a property with a time on a series' own clock. Without a zone that is UTC. */
export function localLine(name: string, local: LocalTime, { allDay, named }: Form): string {
  if (allDay) return line(name, dateText(local), { value: "DATE" });
  return named ? line(name, localText(local), { tzid: named.tzid }) : line(name, basic(local as number as Instant));
}

function sameTimes(now: TimesToWrite, { span, start, clock, duration }: Times): boolean {
  if (now.allDay !== span.allDay || now.starts !== span.starts) return false;
  const ends = now.allDay ? Math.max(now.ends, now.starts + DAY_MS) : now.ends;
  if (ends !== span.ends || (now.start !== undefined && now.start !== start)) return false;
  if (isNominal(now) && duration.days !== now.duration?.days) return false;
  const named = now.start === undefined && onClock(now.starts, now.named) === null ? null : now.named;
  return now.allDay || (named?.zone ?? null) === clock.zone;
}

function isNominal({ allDay, duration }: TimesToWrite): boolean {
  return !allDay && duration !== undefined && duration.days > 0;
}

/**
 * Converts an instant to the local time in the zone. Returns null if that local time doesn't resolve to the same
 * instant again.
 */
function onClock(at: Instant, named: ZoneToWrite | null): LocalTime | null {
  if (!named) return null;
  const local = toLocal(named.zone, at);
  const isClear = toInstant(named.zone, local) === at && (named.described?.(local) ?? at) === at;
  return isClear ? local : null;
}

function toLocalTime(at: Instant, named: ZoneToWrite | null): LocalTime {
  return named ? toLocal(named.zone, at) : (at as number as LocalTime);
}
