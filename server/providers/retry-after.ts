import { clock } from "@/server/clock";

const LONGEST_WAIT_MS = 24 * 3_600_000;

/** Gives the milliseconds that a response asks to wait: Retry-After is seconds or a date (RFC 9110 §10.2.3). Null: it does not say. */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const wait = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - clock().now();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}
