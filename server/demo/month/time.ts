export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How many days the month covers: older rows would no longer be kept. */
export const MONTH_DAYS = 29;

/** How busy each hour of the day is (UTC), from 0 to 1, with offices from Stockholm to Los Angeles. */
const busy = [
  ...[0.16, 0.12, 0.08, 0.06, 0.06, 0.12, 0.34, 0.62, 0.9, 1, 0.96, 0.84],
  ...[0.82, 0.94, 1, 0.98, 0.9, 0.78, 0.62, 0.5, 0.42, 0.36, 0.28, 0.2],
];
const AT_WEEKENDS = 0.22;

/** Returns how busy a time is, from 0 to 1. */
export function busynessAt(at: number): number {
  const time = new Date(at);
  const day = time.getUTCDay();
  return (busy[time.getUTCHours()] ?? 0) * (day === 0 || day === 6 ? AT_WEEKENDS : 1);
}
