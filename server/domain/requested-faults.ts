/** The prefix of error keys in the request log for faults requested with `Svc-Sandbox-Fault`: `sandbox.slow`. */
const PREFIX = "sandbox.";

export function requestedFaultKey(fault: string): string {
  return PREFIX + fault;
}

/** Finds the fault that a request asked for in its error keys: `slow`. Null: none. */
export function requestedFault(errorKeys: readonly string[]): string | null {
  return errorKeys.find((key) => key.startsWith(PREFIX))?.slice(PREFIX.length) ?? null;
}

/** A slow response was requested while too many were already waiting: a 429. */
export const TOO_MANY_SLOW = requestedFaultKey("too_many_slow");

/**
 * The faults that are the response themselves. No count of errors or rate-limited requests includes them: nothing is
 * wrong with the service.
 */
export const refusingFaults = [
  requestedFaultKey("rate_limited"),
  requestedFaultKey("unavailable"),
  TOO_MANY_SLOW,
] as const;

export function isRequestedRefusal(errorKeys: readonly string[]): boolean {
  return refusingFaults.some((key) => errorKeys.includes(key));
}
