import { onTestFinished } from "vitest";
import type { Clock } from "@/server/clock";
import { context } from "@/server/context";

export interface FakeClock extends Clock {
  /** Both of its times go on by so many milliseconds. */
  advance(milliseconds: number): void;
}

/** The service's clock stands still, and goes on only when told, until the running test is over. */
export function fakeClock(startsAt = Date.now()): FakeClock {
  const before = context.clock;
  const started = performance.now();
  let passed = 0;
  const clock = {
    now: () => startsAt + passed,
    monotonic: () => started + passed,
    advance: (milliseconds: number) => {
      passed += milliseconds;
    },
  };
  context.clock = clock;
  onTestFinished(() => {
    context.clock = before;
  });
  return clock;
}
