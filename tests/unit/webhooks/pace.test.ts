import { describe, expect, it, vi } from "vitest";
import { pace } from "@/server/webhooks/pace";

const idle = { waitedMs: () => 0, progress: () => Promise.resolve() };

describe("attempts begin", () => {
  it("at once, however many are in progress, while outcomes are stored quickly", async () => {
    const turn = pace(idle);
    for (let i = 0; i < 100; i++) await turn(performance.now());
  });

  it("a few at a time, so that responses which have arrived are read in between", async () => {
    const turn = pace(idle);
    let read = 0;
    const readings = [setImmediate(() => read++)];
    const begunBefore: number[] = [];
    for (let i = 0; i < 8; i++) {
      await turn(performance.now());
      begunBefore.push(read);
    }
    expect(readings).toHaveLength(1);
    expect(begunBefore).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  });

  it("only when outcomes that have waited too long are stored", async () => {
    let waited = 41;
    let stored = () => {};
    const turn = pace({
      waitedMs: () => waited,
      progress: () =>
        new Promise((resolve) => {
          stored = resolve;
        }),
    });
    const begun = vi.fn();
    const beginning = turn(performance.now()).then(begun);
    stored();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).not.toHaveBeenCalled(); // others wait as long
    waited = 40;
    stored();
    await beginning;
    expect(begun).toHaveBeenCalled();
  });

  it("after a second all the same, because a claimed delivery's lease runs", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const turn = pace({ waitedMs: () => 5_000, progress: () => new Promise(() => {}) });
    const begun = vi.fn();
    const beginning = turn(performance.now()).then(begun);
    await vi.advanceTimersByTimeAsync(999);
    expect(begun).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await beginning;
    await turn(performance.now() - 1_000); // others of that claim wait no second time
    vi.useRealTimers();
    expect(begun).toHaveBeenCalled();
  });
});
