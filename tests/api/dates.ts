const DAY_MS = 86_400_000;
/** Read once for each file: days that are counted on both sides of a midnight would not fit together. */
const now = Date.now();

/** The date (UTC) so many days from now: reads serve 42 days back to 201 days ahead. */
export function dayFromNow(days: number): string {
  return new Date(now + days * DAY_MS).toISOString().slice(0, 10);
}
