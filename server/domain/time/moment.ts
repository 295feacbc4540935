import { type Day, parseDay } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { type LocalTime, parseLocalTime, parseTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toInstant, toLocal, type Zone } from "@/server/domain/time/zone";

const SECOND_MICROS = 1_000_000;
const SECOND_MS = 1000;
const LONG_MS = 24 * 60 * 60 * SECOND_MS;

/** Texts that `readMoment` accepts, for errors. */
export const MOMENT_WORDS = "must be a date such as 2026-11-21, or a time with an offset such as 2026-11-21T09:30:00Z";

/** Start or end of an event: a date (all-day) or an instant in whole seconds. */
export type Moment = { kind: "day"; day: Day } | TimeMoment;

interface TimeMoment {
  kind: "time";
  at: Instant;
  /** The local time that was written, if it was one. */
  wall?: { zone: Zone; local: LocalTime };
}

/**
 * Parses the text of a start or end ("POST …/events"): a date, a time with offset or, with a zone beside it, a local
 * time of that zone. Fractions of a second are dropped.
 */
export function readMoment(text: string, zone: Zone | null): Moment | null {
  const day = parseDay(text);
  if (day !== null) return { kind: "day", day };
  const time = parseTime(text);
  if (time) return { kind: "time", at: (Math.floor(time.micros / SECOND_MICROS) * SECOND_MS) as Instant };
  const local = zone && parseLocalTime(text);
  return zone && local !== null ? localMoment(zone, local) : null;
}

/**
 * Resolves a local time of a zone: in a gap it shifts forward by the gap, in an overlap it is the first. Without a zone
 * it is UTC.
 */
export function localMoment(zone: Zone | null, written: LocalTime): TimeMoment {
  const local = (Math.floor(written / SECOND_MS) * SECOND_MS) as LocalTime;
  if (!zone) return { kind: "time", at: local as number as Instant };
  return { kind: "time", at: toInstant(zone, local), wall: { zone, local } };
}

/** A span as stored: all-day ones as UTC midnights. */
export interface StoredSpan {
  allDay: boolean;
  starts: Instant;
  ends: Instant;
  /** Over 24 hours: kept in a separate index (server/store/events/pages/branches.ts). */
  isLong: boolean;
}

export type SpanFault = "mixed" | "end_before_start";

/**
 * Builds the span of two moments of one kind, the end not before the start, or says what is wrong with it. A start in a
 * gap shifts forward, and an end written as a local time of the same zone shifts with it: the event is as long as it
 * was written.
 */
export function span(start: Moment, end: Moment): StoredSpan | SpanFault {
  if (start.kind !== end.kind) return "mixed";
  const starts = instantOf(start);
  const [from, to] = [skippedTime(start), end.kind === "time" && end.wall];
  const ends = from && to && from.zone === to.zone ? ((starts + to.local - from.local) as Instant) : instantOf(end);
  if (ends < starts) return "end_before_start";
  return { allDay: start.kind === "day", starts, ends, isLong: isLongSpan({ starts, ends }) };
}

/** Says what is wrong with an end, for errors. */
export function spanWords(fault: SpanFault, start: Moment | undefined): string {
  if (fault === "mixed") return "must be a date when start is a date, and a time when start is a time";
  const skipped = start && skippedTime(start);
  if (!skipped) return "must not be before start";
  const [date, time] = formatInstant(skipped.local as number as Instant).split(/[TZ]/);
  const [, shown] = formatInstant(toLocal(skipped.zone, skipped.at) as number as Instant).split(/[TZ]/);
  return `must not be before start: on ${date} the clocks skip ${time}, and it is read as ${shown}`;
}

/** Returns the local time of a start that its zone skips on that day. */
function skippedTime(moment: Moment) {
  if (moment.kind === "day" || !moment.wall) return null;
  const { at, wall } = moment;
  return toLocal(wall.zone, at) === wall.local ? null : { at, ...wall };
}

/** Checks whether a span lasts over 24 hours. */
export function isLongSpan({ starts, ends }: { starts: Instant; ends: Instant }): boolean {
  return ends - starts > LONG_MS;
}

function instantOf(moment: Moment): Instant {
  return moment.kind === "day" ? utcMidnight(moment.day) : moment.at;
}
