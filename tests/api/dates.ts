const DAY_MS = 86_400_000;

/** The date (UTC) so many days from now: reads serve 42 days back to 201 days ahead. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
