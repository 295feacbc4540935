/** The only reader of the time. Tests put another clock on `globalThis.almanacClock`; Next may load this module twice, so it is looked up there each time. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations and token buckets. */
  monotonic(): number;
}

declare global {
  var almanacClock: Clock | undefined;
}

const system: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export function clock(): Clock {
  return globalThis.almanacClock ?? system;
}
