import { exampleTime } from "@/server/http/openapi/examples/example";

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;
const EXAMPLE_DATE = /\b2025-0[567]-\d{2}(?!\d)/g;

/**
 * Counts whole weeks from the one in which the examples were recorded to that of `now` (milliseconds since 1970, weeks
 * from Monday in UTC). Weekdays stay, and so does every offset, because the examples' time zone has no daylight saving
 * time.
 */
export function weeksSinceRecorded(now: number): number {
  return Math.floor((now - Math.floor(exampleTime / DAY_MS) * DAY_MS) / WEEK_MS);
}

/**
 * Moves the dates of a recorded text to the week of `now`: reads reach 42 days back and 201 ahead, so a fixed date
 * would find nothing.
 */
export function datedText(text: string, now: number): string {
  const shift = weeksSinceRecorded(now) * WEEK_MS;
  return text.replace(EXAMPLE_DATE, (day) => new Date(Date.parse(day) + shift).toISOString().slice(0, 10));
}
