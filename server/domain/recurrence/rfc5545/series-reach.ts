import type { Budget } from "@/server/domain/recurrence/rfc5545/budget";
import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import type { SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { EARLIEST, LATEST } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import type { Zone } from "@/server/domain/time/zone";
import type { Window } from "@/server/domain/window";

/** The input of one expansion. */
export interface ReachInput {
  clock: SeriesClock;
  /** DTSTART in whole seconds. All-day: its midnight. */
  start: LocalTime;
  /** The default of every occurrence. Zero where the series' own is no length. */
  duration: Duration;
  /**
   * The local starts that can matter, both inclusive: the window, widened for every zone and for occurrences that began
   * before it.
   */
  from: LocalTime;
  to: LocalTime;
  /**
   * Whether a time may be converted: those far from the window don't matter, and a zone's offsets are costly to
   * compute.
   */
  isNear: (time: number) => boolean;
  budget: Budget;
  problems: Set<string>;
}

const DAY_MS = 86_400_000;
// No offset and no gap puts a local time further from its instant.
const ZONE_MS = 2 * DAY_MS;
// Occurrences of rules that last longer are not searched for further back.
const LONGEST_MS = 5 * 366 * DAY_MS;
const NEAR_MS = 2 * LONGEST_MS;

interface RecurringTimes {
  allDay: boolean;
  start: LocalTime;
  zone: Zone | null;
  duration: Duration;
}

/** Computes the part of a series that a window (instants) needs. */
export function askedOf({ allDay, start, zone, duration }: RecurringTimes, window: Window, budget: Budget): ReachInput {
  const problems = new Set<string>();
  if (!Number.isFinite(start)) problems.add("start: not a time");
  const isLength = Number.isFinite(lengthOf(duration)) && lengthOf(duration) >= 0;
  if (!isLength) problems.add("duration: not a length");
  const lasting = isLength ? duration : { days: 0, exact: 0 };
  const longest = Math.min(lengthOf(lasting), LONGEST_MS);
  const unit = allDay ? DAY_MS : 1000;
  return {
    clock: { allDay, zone },
    start: (Math.floor(start / unit) * unit) as LocalTime,
    duration: lasting,
    from: Math.max(window.from - longest - ZONE_MS, EARLIEST) as LocalTime,
    to: Math.min(window.to + ZONE_MS, LATEST) as LocalTime,
    isNear: (time) => time >= window.from - NEAR_MS && time <= window.to + NEAR_MS,
    budget,
    problems,
  };
}

/** Converts a duration to milliseconds, with 24 hours a day. */
export function lengthOf({ days, exact }: Duration): number {
  return days * DAY_MS + exact;
}
