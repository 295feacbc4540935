import { afterEach, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { wasStuck, watchEventLoop } from "@/server/event-loop-delay";

const limits = { lookMs: 10, stuckMs: 200 };
let end = () => {};

afterEach(() => {
  end();
  globalThis.almanacStuckAt = undefined;
});

it("an event loop that was held for too long is noticed when it goes on", async () => {
  end = watchEventLoop(limits);
  const until = clock().monotonic() + 2 * limits.stuckMs;
  while (clock().monotonic() < until);
  await expect.poll(wasStuck).toBe(true);
});

it("one that goes round is not", async () => {
  end = watchEventLoop({ ...limits, stuckMs: 60_000 });
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setTimeout(resolve, limits.lookMs));
  expect(wasStuck()).toBe(false);
});
