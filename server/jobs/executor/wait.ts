/** How long to wait: so many seconds from now by the database's clock, or until an instant. */
export type Wait = { seconds: number } | { until: Date };

const UNITS_S: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** What the SDK makes of `step.sleep` and `step.sleepUntil`: `1h30m`, or an instant in ISO 8601. Null: neither. */
export function sleepOf(text: string): Wait | null {
  if (/^(\d+[wdhms])+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+)([wdhms])/g)];
    return { seconds: parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS_S[unit] ?? 0), 0) };
  }
  const until = new Date(text);
  return Number.isNaN(until.getTime()) ? null : { until };
}

const SHORTEST_RETRY_S = 1;
const LONGEST_RETRY_S = 86_400;
const FIRST_BACKOFF_S = 10;
const LONGEST_BACKOFF_S = 3_600;

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
