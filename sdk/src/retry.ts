import { type ApiError, ConnectionError, RateLimitError, ServerError } from "./errors.js";

const FIRST_WAIT_MS = 500;
const LONGEST_OWN_WAIT_MS = 20_000;

/** Whether to send the request again. A 429 was rejected before anything was done, so any request may follow one. */
export function isWorthRetrying(error: unknown, isRepeatable: boolean): error is ApiError | ConnectionError {
  if (error instanceof RateLimitError) return true;
  return isRepeatable && (error instanceof ServerError || error instanceof ConnectionError);
}

/** Milliseconds until the given retry (the first is 0): longer each time, at random, and never less than Retry-After. */
export function waitBefore(retry: number, error: ApiError | ConnectionError, random: () => number): number {
  const most = Math.min(FIRST_WAIT_MS * 2 ** retry, LONGEST_OWN_WAIT_MS);
  const own = most / 2 + (most / 2) * random();
  const asked = askedWait(error);
  // What was rejected together must not come back together.
  return Math.round(Math.max(own, asked + asked * 0.1 * random()));
}

/** The milliseconds of the Retry-After; 0 without one. */
export function askedWait(error: ApiError | ConnectionError): number {
  const seconds = error instanceof RateLimitError || error instanceof ServerError ? error.retryAfter : undefined;
  return (seconds ?? 0) * 1_000;
}

/** The seconds of a Retry-After header, which is a number or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
