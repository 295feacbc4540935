import { afterEach, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { calm, wasStuck, watchEventLoop } from "@/server/event-loop-delay";
import { holdEventLoop } from "@/tests/fakes/held-event-loop";

const limits = { lookMs: 10, stuckMs: 200 };
let end = () => {};

afterEach(() => {
  end();
  context.stuckAt = undefined;
});

it("an event loop that was held for too long is noticed when it goes on", async () => {
  end = watchEventLoop(limits);
  holdEventLoop(2 * limits.stuckMs);
  await expect.poll(wasStuck).toBe(true);
});

it("one that goes round is not", async () => {
  end = watchEventLoop({ ...limits, stuckMs: 60_000 });
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setTimeout(resolve, limits.lookMs));
  expect(wasStuck()).toBe(false);
});

it("calm comes once timers keep their time, and at the latest when it was waited for long enough", async () => {
  const began = clock().monotonic();
  let held = 0;
  const holding = setInterval(() => {
    held += 1;
    holdEventLoop(60);
    if (held === 3) clearInterval(holding);
  }, 1);
  await calm({ forMs: 30, lateMs: 20, withinMs: 60_000 });
  expect(held).toBe(3);
  const busy = setInterval(() => holdEventLoop(30), 1);
  await calm({ forMs: 60_000, withinMs: 100 });
  clearInterval(busy);
  expect(clock().monotonic() - began).toBeGreaterThan(280);
});
