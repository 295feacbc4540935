import type { DateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import type { Day } from "@/server/domain/time/day";
import { EARLIEST, type Instant, LATEST } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import { toLocal } from "@/server/domain/time/zone";
import { readDate } from "@/server/providers/caldav/icalendar/lenient/dates";
import { readLength } from "@/server/providers/caldav/icalendar/lenient/durations";
import { allDayMarks, USUAL_LENGTH_MS } from "@/server/providers/caldav/icalendar/lenient/judgements";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { type ContentLine, propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";
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
  /** A time without a zone. */
  isFloating?: boolean;
  /** The time that is written where only a date is meant. */
  written?: Moment;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Reads DTSTART with DTEND or DURATION (RFC 5545 §3.6.1). Without an end, a date lasts one day and a time has no length. A DTEND of
 * another form is read in DTSTART's form, and one without a zone on DTSTART's clock. An end that is none leaves the usual length.
 * @returns null without a valid DTSTART
 */
export function readTimes(component: Component, clocks: Clocks): Times | null {
  const ends = propertiesOf(component, "DTEND");
  const lengths = propertiesOf(component, "DURATION");
  const end = firstMoment(ends, clocks);
  const [lasts] = lengths.flatMap(({ value }) => readLength(value) ?? []);
  const start = firstMoment(propertiesOf(component, "DTSTART"), clocks);
  if (!start) return null;
  const { begins, stops } = onOneClock(start, end);
  const days = daysMeant(begins, stops, clocks);
  if (days && isMarkedAllDay(component)) return allDay(days.first, days.last, lasts);
  if (start.isDate) return allDay(dayShown(start), stops && lastDay(stops, clocks), lasts);
  const isLost = !end && lasts === undefined && ends.length + lengths.length > 0;
  return timed(begins, stops, isLost ? { days: 0, exact: USUAL_LENGTH_MS } : lasts);
}

/** Gives the times of a start without an end. */
export function timesFrom(start: Moment, duration: Duration): Times {
  return start.isDate ? allDay(dayShown(start), null, duration) : timed(start, null, duration);
}

/** Reads the value of a DTSTART, RECURRENCE-ID …. Null when it is invalid. */
export function readMoment({ value, params }: ContentLine, clocks: Clocks): Moment | null {
  const read = readDate(value);
  if (!read) return null;
  if (read.kind === "date") return onDay(read.day);
  const written = timeOf(read, params.tzid, clocks);
  if (params.value !== "date" || written.local % DAY_MS !== 0) return written;
  return { ...onDay(dayOf(written.local as number as Instant)), written };
}

function onDay(day: Day): Moment {
  return { isDate: true, local: utcMidnight(day) as number as LocalTime, clock: utcClock };
}

function timeOf(read: Exclude<DateValue, { kind: "date" }>, tzid: string | undefined, clocks: Clocks): Moment {
  if (read.kind === "utc") return { isDate: false, local: read.at as number as LocalTime, clock: utcClock };
  const clock = clocks(tzid, read.local);
  return { isDate: false, local: read.local, clock, ...(tzid === undefined && { isFloating: true }) };
}

/**
 * Gives the day that an instant stands for where a date belongs: of midnight in UTC that date, else of the midnight that is nearest on the
 * calendar's own clock.
 */
export function dayMeant(instant: Instant, clocks: Clocks): Day {
  if (instant % DAY_MS === 0) return dayOf(instant);
  const { zone } = clocks(undefined, instant as number as LocalTime);
  const local = zone ? toLocal(zone, instant) : instant;
  return dayOf((local + DAY_MS / 2 - 1) as Instant);
}

export function instantOf({ local, clock }: Pick<Moment, "local" | "clock">): Instant {
  return Math.max(EARLIEST, Math.min(clock.instantOf(local), LATEST)) as Instant;
}

function firstMoment(lines: readonly ContentLine[], clocks: Clocks): Moment | null {
  for (const line of lines) {
    const moment = readMoment(line, clocks);
    if (moment) return moment;
  }
  return null;
}

/**
 * Converts an end to the form of its start and puts both on one clock. A time without a zone takes the other's clock.
 */
function onOneClock(begins: Moment, ends: Moment | null): { begins: Moment; stops: Moment | null } {
  const stops = (!begins.isDate && ends?.written) || ends;
  if (!stops || begins.isDate || stops.isDate) return { begins, stops };
  if (stops.isFloating) return { begins, stops: { ...stops, clock: begins.clock } };
  return { begins: begins.isFloating && stops.clock !== utcClock ? { ...begins, clock: stops.clock } : begins, stops };
}

function isMarkedAllDay(component: Component): boolean {
  return allDayMarks.some((name) => /^(?:TRUE|1)$/i.test(propertyOf(component, name)?.value.trim() ?? ""));
}

/** Determines the days that are meant by times from midnight to midnight. Returns null for other times. */
function daysMeant(begins: Moment, stops: Moment | null, clocks: Clocks): { first: Day; last: Day | null } | null {
  if (begins.isDate || stops?.isDate) return null;
  if (begins.clock !== utcClock) {
    const isMidnight = begins.local % DAY_MS === 0 && (stops?.local ?? 0) % DAY_MS === 0;
    return isMidnight ? { first: dayShown(begins), last: stops && dayShown(stops) } : null;
  }
  const [starts, ends] = [instantOf(begins), stops && instantOf(stops)];
  const beside = ends === null ? 0 : Math.abs(ends - starts - Math.round((ends - starts) / DAY_MS) * DAY_MS);
  return beside > HOUR_MS ? null : { first: dayMeant(starts, clocks), last: ends && dayMeant(ends, clocks) };
}

/** Determines the day before which an all-day event ends. A day that has begun by then still belongs to the event. */
function lastDay(stops: Moment, clocks: Clocks): Day {
  if (stops.clock === utcClock && !stops.isDate && !stops.isFloating) return dayMeant(instantOf(stops), clocks);
  return Math.ceil(stops.local / DAY_MS) as Day;
}

function dayShown({ local }: Moment): Day {
  return dayOf(local as number as Instant);
}

function allDay(day: Day, end: Day | null, lasts: Duration | undefined): Times {
  const byDuration = lasts ? lasts.days + Math.floor(lasts.exact / DAY_MS) : 1;
  // Many clients write the last day itself. An event of no days would be invisible.
  const days = Math.max(1, end === null ? byDuration : end - day);
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
  const ends = Math.min(ended < starts ? starts + USUAL_LENGTH_MS : ended, LATEST) as Instant;
  return {
    span: { starts, ends, allDay: false },
    // Without a zone the series' clock is UTC.
    start: clock.zone ? local : (starts as number as LocalTime),
    clock,
    duration: end ? { days: 0, exact: ends - starts } : { days, exact },
  };
}
