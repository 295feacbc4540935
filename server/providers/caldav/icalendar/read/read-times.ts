import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { type Duration, readDuration } from "@/server/domain/recurrence/rfc5545/duration";
import type { Day } from "@/server/domain/time/day";
import { EARLIEST, type Instant, LATEST } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { type ContentLine, propertiesOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { type Clock, type Clocks, utcClock } from "@/server/providers/caldav/icalendar/zones/clocks";

/** When an event takes place. All-day spans are UTC midnights. */
export interface Times {
  span: { starts: Instant; ends: Instant; allDay: boolean };
  /** DTSTART as written, and its clock. */
  start: LocalTime;
  clock: Clock;
  duration: Duration;
}

/** A DATE or DATE-TIME with its clock. For a date, `local` is its midnight. */
export interface Moment {
  isDate: boolean;
  local: LocalTime;
  clock: Clock;
}

const DAY_MS = 86_400_000;

/**
 * Reads DTSTART with DTEND or DURATION (RFC 5545 §3.6.1). Without an end, a date lasts one day and a time has no length, as has an
 * event that ends before it starts. A DTEND of another form is read in DTSTART's form.
 * @returns null without a valid DTSTART
 */
export function readTimes(component: Component, clocks: Clocks): Times | null {
  const start = momentIn(component, "DTSTART", clocks);
  if (!start) return null;
  const end = momentIn(component, "DTEND", clocks);
  const [lasts] = propertiesOf(component, "DURATION").flatMap(({ value }) => readDuration(value) ?? []);
  return start.isDate ? allDay(dayShown(start), end, lasts) : timed(start, end, lasts);
}

/** The times of a start without an end. */
export function timesFrom(start: Moment, duration: Duration): Times {
  return start.isDate ? allDay(dayShown(start), null, duration) : timed(start, null, duration);
}

/** Reads the value of a DTSTART, RECURRENCE-ID …. Null when it is invalid. */
export function readMoment({ value, params }: ContentLine, clocks: Clocks): Moment | null {
  const read = readDateValue(value);
  if (!read) return null;
  if (read.kind === "date") return { isDate: true, local: (read.day * DAY_MS) as LocalTime, clock: utcClock };
  if (read.kind === "utc") return { isDate: false, local: read.at as number as LocalTime, clock: utcClock };
  return { isDate: false, local: read.local, clock: clocks(params.tzid, read.local) };
}

export function instantOf({ local, clock }: Pick<Moment, "local" | "clock">): Instant {
  return Math.max(EARLIEST, Math.min(clock.instantOf(local), LATEST)) as Instant;
}

function momentIn(component: Component, name: string, clocks: Clocks): Moment | null {
  for (const line of propertiesOf(component, name)) {
    const moment = readMoment(line, clocks);
    if (moment) return moment;
  }
  return null;
}

function dayShown({ local }: Moment): Day {
  return dayOf(local as number as Instant);
}

function allDay(day: Day, end: Moment | null, lasts: Duration | undefined): Times {
  const byDuration = lasts ? lasts.days + Math.floor(lasts.exact / DAY_MS) : 1;
  // Many clients write the last day itself. An event of no days would be invisible.
  const days = Math.max(1, end ? dayShown(end) - day : byDuration);
  const starts = utcMidnight(day);
  const ends = Math.min(utcMidnight((day + days) as Day), LATEST) as Instant;
  return {
    span: { starts, ends, allDay: true },
    start: starts as number as LocalTime,
    clock: utcClock,
    duration: { days, exact: 0 },
  };
}

function timed(start: Moment, end: Moment | null, lasts: Duration | undefined): Times {
  const { local, clock } = start;
  const starts = instantOf(start);
  const { days, exact } = lasts ?? { days: 0, exact: 0 };
  const byDuration = days === 0 ? starts : instantOf({ local: (local + days * DAY_MS) as LocalTime, clock });
  const ended = end ? instantOf(end.isDate ? { ...end, clock } : end) : byDuration + exact;
  const ends = Math.max(starts, Math.min(ended, LATEST)) as Instant;
  return {
    span: { starts, ends, allDay: false },
    // Without a zone the series' clock is UTC.
    start: clock.zone ? local : (starts as number as LocalTime),
    clock,
    duration: end ? { days: 0, exact: ends - starts } : { days, exact },
  };
}
