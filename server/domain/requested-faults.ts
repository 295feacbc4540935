/** What the request log says of a request that asked for a fault with `Svc-Sandbox-Fault`, as an error key: `sandbox.slow`. */
const PREFIX = "sandbox.";

export function requestedFaultKey(fault: string): string {
  return PREFIX + fault;
}

/** The fault that a request asked for, from its error keys: `slow`. Null: it asked for none. */
export function requestedFault(errorKeys: readonly string[]): string | null {
  return errorKeys.find((key) => key.startsWith(PREFIX))?.slice(PREFIX.length) ?? null;
}

/** It asked for a slow response, and as many as may wait did already: a 429. */
export const TOO_MANY_SLOW = requestedFaultKey("too_many_slow");

/** Those whose response is the fault itself. No count of errors or of rate-limited requests has them: nothing is wrong with the service. */
export const refusingFaults = [
  requestedFaultKey("rate_limited"),
  requestedFaultKey("unavailable"),
  TOO_MANY_SLOW,
] as const;

export function isRequestedRefusal(errorKeys: readonly string[]): boolean {
  return refusingFaults.some((key) => errorKeys.includes(key));
}
