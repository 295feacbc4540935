import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { midnight, type Zone } from "@/server/domain/time/zone";

export const READ_WINDOW_DAYS_BACK = 42;
export const READ_WINDOW_DAYS_AHEAD = 201;
const MARGIN_DAYS_BACK = 7;
const MARGIN_DAYS_AHEAD = 30;
/** The days before reads reach the end of a window at which a sync token bound to it is renewed. */
const SPARE_DAYS = 7;
const DAY_MS = 86_400_000;

export type Bound = { kind: "day"; day: Day } | { kind: "time"; at: Instant };

export interface Window {
  from: Instant;
  /** Exclusive. */
  to: Instant;
}

/** Resolves a bound of a read: a date is its local midnight in the request's zone. */
export function boundInstant(bound: Bound, zone: Zone): Instant {
  return bound.kind === "day" ? midnight(zone, bound.day) : bound.at;
}

/**
 * Clamps the requested window to how far back and ahead reads reach: 42 days back to 201 days ahead of now ("Limits"; ADR 90). It may be
 * empty.
 */
export function clampWindow(asked: { from?: Instant; to?: Instant }, now: Instant): Window {
  const earliest = now - READ_WINDOW_DAYS_BACK * DAY_MS;
  const latest = now + READ_WINDOW_DAYS_AHEAD * DAY_MS;
  return {
    from: Math.max(asked.from ?? earliest, earliest) as Instant,
    to: Math.min(asked.to ?? latest, latest) as Instant,
  };
}

/**
 * Returns the range in which the occurrences of series are stored: what reads serve, and a margin that spares frequent
 * extensions.
 */
export function storedWindow(now: Instant): Window {
  return {
    from: (now - (READ_WINDOW_DAYS_BACK + MARGIN_DAYS_BACK) * DAY_MS) as Instant,
    to: (now + (READ_WINDOW_DAYS_AHEAD + MARGIN_DAYS_AHEAD) * DAY_MS) as Instant,
  };
}

/** Computes until when a window still contains everything that reads serve, with days to spare for reading again. */
export function servesUntil({ to }: Window): Instant {
  return (to - (READ_WINDOW_DAYS_AHEAD + SPARE_DAYS) * DAY_MS) as Instant;
}
