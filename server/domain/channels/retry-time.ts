/** The most attempts of one application at one host at once, over all processes. */
export const MOST_PER_RECEIVER = 5;

interface Retries {
  count: number;
  /** The typical response time. Null: nothing was attempted lately. */
  responseMs: number | null;
  /** Whether the last attempt got any response: a receiver that gave none gets one attempt at a time. */
  isResponding: boolean;
}

/** Estimates the milliseconds that attempts of one receiver take. Null: there is nothing to go by. */
export function retryTime({ count, responseMs, isResponding }: Retries): number | null {
  return responseMs === null ? null : Math.ceil(count / (isResponding ? MOST_PER_RECEIVER : 1)) * responseMs;
}
