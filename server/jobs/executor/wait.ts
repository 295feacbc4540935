/** How long to wait: so many seconds from now by the database's clock, or until an instant. */
export type Wait = { seconds: number } | { until: Date };

const SECONDS = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };
const SHORTEST_RETRY_S = 1;
const LONGEST_RETRY_S = 86_400;
const FIRST_BACKOFF_S = 10;
const LONGEST_BACKOFF_S = 3_600;

/** A duration such as "1d2h30m" or "5s", in seconds; null for anything else. */
export function readSeconds(text: string): number | null {
  if (!/^(\d+[wdhms])+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+)([wdhms])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0);
}

/** What the SDK names a sleep: a duration or an instant; the empty name is a sleep of no time. Null for anything else. */
export function readSleep(name: string): Wait | null {
  if (name === "") return { seconds: 0 };
  const seconds = readSeconds(name);
  if (seconds !== null) return { seconds };
  const until = new Date(name);
  return Number.isNaN(until.getTime()) ? null : { until };
}

/** When to call again after the given attempt failed: as the function asked (`retry-after`), or later and later. */
export function retryWait(attempt: number, retryAfter: string | null): Wait {
  if (retryAfter !== null) {
    const seconds = Number(retryAfter);
    if (Number.isFinite(seconds)) return { seconds: Math.min(Math.max(seconds, SHORTEST_RETRY_S), LONGEST_RETRY_S) };
    const until = new Date(retryAfter);
    if (!Number.isNaN(until.getTime())) return { until };
  }
  const jitter = 0.75 + Math.random() / 2;
  return { seconds: jitter * Math.min(FIRST_BACKOFF_S * 2 ** (attempt - 1), LONGEST_BACKOFF_S) };
}
