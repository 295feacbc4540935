import { context } from "@/server/context";

/** The only reader of the time. Tests put another one into the context, where it is looked up each time. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations and token buckets. */
  monotonic(): number;
}

const system: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export function clock(): Clock {
  return context.clock ?? system;
}
