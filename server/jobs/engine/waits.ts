import { RetryAfterError } from "inngest";

const UNITS_MS: Readonly<Record<string, number>> = {
  ...{ w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 },
};

/** Returns the milliseconds of a duration in the SDK's form, such as `1h30m`. Throws on any other text. */
export function durationOf(text: string): number {
  if (!/^(\d+[wdhms])+$/.test(text)) throw new Error(`the engine knows no duration "${text}"`);
  const parts = [...text.matchAll(/(\d+)([wdhms])/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0);
}

const SHORTEST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 86_400_000;
const FIRST_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 3_600_000;

/** Returns the milliseconds before the next attempt: what the error asks for (RetryAfterError), or a growing wait. */
export function retryWait(attempt: number, error: unknown, now: number): number {
  if (error instanceof RetryAfterError) {
    const seconds = Number(error.retryAfter);
    const asked = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(error.retryAfter) - now;
    if (Number.isFinite(asked)) return Math.min(Math.max(asked, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
  }
  const jitter = 0.75 + Math.random() / 2;
  return jitter * Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
}
