const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The retry schedule: milliseconds from the end of a failed attempt to the next, after the first to the ninth
 * ("Events", 5).
 */
export const WAITS_MS: readonly number[] = [
  15 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10 * HOUR,
];

/** "After the tenth failure, or 48 hours after creation, the delivery is failed" ("Events", 5). */
export const MOST_ATTEMPTS = WAITS_MS.length + 1;
export const GIVEN_UP_AFTER_MS = 48 * HOUR;

/** Total time of a delivery's retries: from its first attempt to its last, without the random additions. */
export const RETRIED_FOR_MS = WAITS_MS.reduce((sum, wait) => sum + wait, 0);

/** "Each wait gets up to 10% random addition." */
const MOST_ADDED = 0.1;

/**
 * Returns the milliseconds from the end of failed attempt `attempt` (1 for the first) to the next, never less than
 * documented, or null after the last. `random` is from 0 to 1. Rule: "Events", 5.
 */
export function waitAfter(attempt: number, random: number): number | null {
  const wait = WAITS_MS[attempt - 1];
  return wait === undefined ? null : wait * (1 + MOST_ADDED * random);
}

interface ScheduledAttempt {
  /** 1 for the first. */
  number: number;
  /** In milliseconds since 1970. */
  at: number;
}

/**
 * Estimates the last attempt of a delivery if the next one and all others fail: the tenth, or the one that 48 hours
 * after creation bring forward. Times are milliseconds since 1970.
 */
export function lastAttempt(next: ScheduledAttempt, createdAt: number): ScheduledAttempt {
  const end = createdAt + GIVEN_UP_AFTER_MS;
  let { number, at } = next;
  while (number < MOST_ATTEMPTS && at < end) {
    at = Math.min(at + (waitAfter(number, MEAN) ?? 0), end);
    number += 1;
  }
  return { number, at };
}

/** The mean of a random addition. */
const MEAN = 0.5;
