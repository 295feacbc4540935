import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { workLoop } from "@/server/work-loop";
import { noteUnhandled } from "@/tests/fakes/unhandled";

/** A loop whose claims fail until `isThere`. */
function loopWithout(state: { isThere: boolean }) {
  const claim = vi.fn(async () => {
    if (!state.isThere) throw new Error("the database is away");
    return [];
  });
  return {
    claim,
    loop: workLoop({ claim, work: async () => {}, nextIn: async () => null, shortestWaitMs: 1, onIdle() {} }),
  };
}

it("a wake-up whose claim fails at once is no error of the process, and the next one claims again", async () => {
  const unhandled = noteUnhandled();
  const state = { isThere: false };
  const { claim, loop } = loopWithout(state);
  loop.wake();
  await nextTurn();
  await nextTurn();
  expect(unhandled).not.toHaveBeenCalled();
  state.isThere = true;
  loop.wake();
  await expect.poll(() => claim.mock.calls.length).toBe(2);
});

it("who waits for the work is told why it cannot be done", async () => {
  const { loop } = loopWithout({ isThere: false });
  await expect(loop.nudge()).rejects.toThrow("the database is away");
});

it("due work that others have is looked for no sooner than the least wait", async () => {
  const onIdle = vi.fn();
  const loop = workLoop({
    claim: async () => [],
    work: async () => {},
    nextIn: async () => -40,
    shortestWaitMs: 100,
    onIdle,
  });
  await loop.drain();
  expect(onIdle.mock.calls).toEqual([[100]]);
});
