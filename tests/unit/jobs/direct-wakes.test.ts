import { expect, it, onTestFinished, vi } from "vitest";
import type { Work } from "@/server/db/wake";
import { directWakes } from "@/server/jobs/direct-wakes";
import { fakeClock } from "../../fakes/clock";

function opened() {
  const clock = fakeClock();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const woken: Work[] = [];
  const wakes = directWakes((work) => woken.push(work));
  const pass = (ms: number) => {
    clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  return { wakes, woken, pass };
}

it("a wake-up for now calls the work at once", () => {
  const { wakes, woken } = opened();
  wakes.wake("push", 0);
  wakes.wake("push", 0);
  expect(woken).toEqual(["push", "push"]);
});

it("of wake-ups for later the earliest of each kind counts", () => {
  const { wakes, woken, pass } = opened();
  wakes.wake("notify", 1_000);
  wakes.wake("notify", 5_000);
  wakes.wake("deliver", 3_000);
  wakes.wake("deliver", 2_000);
  pass(999);
  expect(woken).toEqual([]);
  pass(1);
  expect(woken).toEqual(["notify"]);
  pass(10_000);
  expect(woken).toEqual(["notify", "deliver"]);
});

it("after one for later, another can be asked for", () => {
  const { wakes, woken, pass } = opened();
  for (let i = 0; i < 2; i++) {
    wakes.wake("sync", 60_000);
    pass(60_000);
  }
  expect(woken).toEqual(["sync", "sync"]);
});

it("is looked for earlier than asked when the wait is longer than a timer is good for", () => {
  const { wakes, woken, pass } = opened();
  wakes.wake("deliver", 40 * 86_400_000);
  pass(3_600_000);
  expect(woken).toEqual(["deliver"]);
});

it("none comes once it is stopped", () => {
  const { wakes, woken, pass } = opened();
  wakes.wake("sync", 1_000);
  wakes.stop();
  pass(1_000);
  expect(woken).toEqual([]);
});
