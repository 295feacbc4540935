import { expect, it } from "vitest";
import { sharedTime } from "@/server/front-door/shared-time";
import { fakeClock } from "@/tests/fakes/clock";

it("what ends a process has one time for requests and background work, from the moment at which it is to end", () => {
  const clock = fakeClock();
  const draining = sharedTime(20_000);
  clock.advance(60_000);
  expect(draining.leftMs()).toBe(20_000);
  draining.begin();
  clock.advance(15_000);
  draining.begin();
  expect(draining.leftMs()).toBeCloseTo(5_000);
  clock.advance(15_000);
  expect(draining.leftMs()).toBe(0);
});
