import { type Day, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { parseLocalTime, parseTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toInstant, type Zone } from "@/server/domain/time/zone";

const SECOND_MICROS = 1_000_000;
const SECOND_MS = 1000;
const LONG_MS = 24 * 60 * 60 * SECOND_MS;

/** What `readMoment` reads, for errors. */
export const MOMENT_WORDS = "must be a date such as 2026-11-21, or a time with an offset such as 2026-11-21T09:30:00Z";

/** Where an event starts or ends: a date (all-day) or an instant in whole seconds. */
export type Moment = { kind: "day"; day: Day } | { kind: "time"; at: Instant };

/**
 * Reads the text of a start or end ("POST …/events"): a date, a time with offset or, where a zone stands beside it, a
 * local time of that zone (in a gap it shifts forward, in an overlap it is the first). Fractions of a second are dropped.
 */
export function readMoment(text: string, zone: Zone | null): Moment | null {
  const day = parseDay(text);
  if (day !== null) return { kind: "day", day };
  const time = parseTime(text);
  if (time) return { kind: "time", at: (Math.floor(time.micros / SECOND_MICROS) * SECOND_MS) as Instant };
  const local = zone && parseLocalTime(text);
  if (!zone || local === null) return null;
  return { kind: "time", at: (Math.floor(toInstant(zone, local) / SECOND_MS) * SECOND_MS) as Instant };
}

/** What a span is stored as: all-day ones as UTC midnights. */
export interface StoredSpan {
  allDay: boolean;
  starts: Instant;
  ends: Instant;
  /** Over 24 hours: kept in an index of its own (server/db/pages/branches.ts). */
  isLong: boolean;
}

export type SpanFault = "mixed" | "end_before_start";

/** The span of two moments of one kind, the end not before the start; else what is wrong with it. */
export function span(start: Moment, end: Moment): StoredSpan | SpanFault {
  if (start.kind !== end.kind) return "mixed";
  const starts = instantOf(start);
  const ends = instantOf(end);
  if (ends < starts) return "end_before_start";
  return { allDay: start.kind === "day", starts, ends, isLong: isLongSpan({ starts, ends }) };
}

/** Whether a span lasts over 24 hours. */
export function isLongSpan({ starts, ends }: { starts: Instant; ends: Instant }): boolean {
  return ends - starts > LONG_MS;
}

function instantOf(moment: Moment): Instant {
  return moment.kind === "day" ? utcMidnight(moment.day) : moment.at;
}
