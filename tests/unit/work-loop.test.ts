import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { addTo, type Keys, type Note, type Tally, type Working, workLoop } from "@/server/work-loop";
import { noteUnhandled } from "@/tests/fakes/unhandled";

/** A loop whose claims fail until `isThere`. */
function loopWithout(state: { isThere: boolean }) {
  const claim = vi.fn(async () => {
    if (!state.isThere) throw new Error("the database is away");
    return [];
  });
  const work = async () => undefined;
  return { claim, loop: workLoop({ claim, work, nextIn: async () => null, shortestWaitMs: 1, onIdle() {} }) };
}

interface Item {
  key: string;
  end(): void;
  note(note: Note): void;
}

/** A loop over due items that a test adds, and that end when it says so. */
function loopOver({ atOnce = 10 } = {}) {
  const due: string[] = [];
  const begun: Item[] = [];
  const asked: Keys[] = [];
  const loop = workLoop<string>({
    async claim({ inProgress, keys }) {
      asked.push(keys);
      if (inProgress >= atOnce) return null;
      const [one] = due.filter((key) => keys === null || keys.includes(key));
      if (one === undefined) return [];
      due.splice(due.indexOf(one), 1);
      return [one];
    },
    work: (key, { note }: Working) =>
      new Promise((resolve) => {
        begun.push({ key, note, end: () => resolve({ subject: key, counts: { done: 1 } }) });
      }),
    keyOf: (key) => key,
    nextIn: async () => null,
    shortestWaitMs: 1,
    onIdle() {},
  });
  const keysBegun = () => begun.map(({ key }) => key);
  return { loop, due, begun, asked, keysBegun };
}

const LONG = { withinMs: 60_000 };

it("a pass whose claim fails is told so, and the next one claims again", async () => {
  const unhandled = noteUnhandled();
  const state = { isThere: false };
  const { claim, loop } = loopWithout(state);
  await expect(loop.pass(null, LONG)).rejects.toThrow("the database is away");
  await nextTurn();
  expect(unhandled).not.toHaveBeenCalled();
  state.isThere = true;
  expect(await loop.pass(null, LONG)).toEqual({ tally: {}, isLeft: false });
  expect(claim).toHaveBeenCalledTimes(2);
});

it("who waits for the work is told why it cannot be done", async () => {
  const { loop } = loopWithout({ isThere: false });
  await expect(loop.drain()).rejects.toThrow("the database is away");
});

it("due work that others have is looked for no sooner than the least wait", async () => {
  const onIdle = vi.fn();
  const loop = workLoop({
    claim: async () => [],
    work: async () => undefined,
    nextIn: async () => -40,
    shortestWaitMs: 100,
    onIdle,
  });
  await loop.drain();
  expect(onIdle.mock.calls).toEqual([[100]]);
});

describe("a pass of a key", () => {
  it("has only that key's work claimed, and returns what came of it", async () => {
    const { loop, due, begun, keysBegun } = loopOver();
    due.push("a", "b", "a");
    const passed = loop.pass("a", LONG);
    await expect.poll(keysBegun).toEqual(["a", "a"]);
    for (const one of begun) one.end();
    expect(await passed).toEqual({ tally: { a: { done: 2 } }, isLeft: false });
    expect(due).toEqual(["b"]);
  });

  it("does not wait for the work of others", async () => {
    const { loop, due, keysBegun } = loopOver();
    due.push("slow");
    const slow = loop.pass("slow", LONG);
    await expect.poll(keysBegun).toEqual(["slow"]);
    expect(await loop.pass("a", LONG)).toEqual({ tally: {}, isLeft: false });
    void slow;
  });

  it("waits for its turn while no more can be worked on", async () => {
    const { loop, due, begun, keysBegun } = loopOver({ atOnce: 1 });
    due.push("slow");
    const slow = loop.pass("slow", LONG);
    await expect.poll(keysBegun).toEqual(["slow"]);
    due.push("a");
    const passed = loop.pass("a", LONG);
    begun[0]?.end();
    await expect.poll(keysBegun).toEqual(["slow", "a"]);
    begun[1]?.end();
    expect((await passed).tally).toEqual({ a: { done: 1 } });
    expect((await slow).tally).toEqual({ slow: { done: 1 } });
  });

  it("claims nothing more when its time is over, and the next pass counts what it began", async () => {
    const { loop, due, begun, asked } = loopOver();
    due.push("a");
    expect(await loop.pass("a", { withinMs: 20 })).toEqual({ tally: {}, isLeft: true });
    due.push("a");
    const before = asked.length;
    expect(loop.wake()).toBe(false);
    await nextTurn();
    expect([asked.length, begun.length]).toEqual([before, 1]);
    const next = loop.pass("a", LONG);
    await expect.poll(() => begun.length).toBe(2);
    for (const one of begun) one.end();
    expect(await next).toEqual({ tally: { a: { done: 2 } }, isLeft: false });
  });

  it("that lingers does what comes soon after, once it is woken", async () => {
    const { loop, due, begun } = loopOver();
    due.push("a");
    const passed = loop.pass("a", { withinMs: 60_000, lingerMs: 300 });
    await expect.poll(() => begun.length).toBe(1);
    begun[0]?.end();
    await nextTurn();
    due.push("a");
    expect(loop.wake()).toBe(false); // not all keys are allowed
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.end();
    expect(await passed).toEqual({ tally: { a: { done: 2 } }, isLeft: false });
  });

  it("of one note ends with it, while its work continues", async () => {
    const { loop, due, begun } = loopOver();
    due.push("a");
    const passed = loop.pass("a", { ...LONG, isOneNote: true });
    await expect.poll(() => begun.length).toBe(1);
    begun[0]?.note({ subject: "part", counts: { events: 3 } });
    expect(await passed).toEqual({ tally: { part: { events: 3 } }, isLeft: true });
    const next = loop.pass("a", { ...LONG, isOneNote: true });
    begun[0]?.end();
    expect(await next).toEqual({ tally: { a: { done: 1 } }, isLeft: false });
  });

  it("ends when the loop is stopped, and claims nothing after that", async () => {
    const { loop, due, begun } = loopOver();
    due.push("a");
    const passed = loop.pass("a", LONG);
    await expect.poll(() => begun.length).toBe(1);
    const stopped = loop.stop();
    expect((await passed).isLeft).toBe(true);
    begun[0]?.end();
    await stopped;
    due.push("a");
    expect((await loop.pass("a", LONG)).isLeft).toBe(true);
    expect(due).toEqual(["a"]);
  });
});

it("a pass of everything is what a wake-up can rely on", async () => {
  const { loop, due, begun } = loopOver();
  due.push("a");
  const passed = loop.pass(null, LONG);
  await expect.poll(() => begun.length).toBe(1);
  due.push("b");
  expect(loop.wake()).toBe(true);
  await expect.poll(() => begun.length).toBe(2);
  for (const one of begun) one.end();
  expect(await passed).toEqual({ tally: { a: { done: 1 }, b: { done: 1 } }, isLeft: false });
  expect(loop.wake()).toBe(false);
});

it("a pass of everything ends when it is told to, and those of keys go on", async () => {
  const { loop, due, begun } = loopOver();
  due.push("a", "b");
  const [whole, one] = [loop.pass(null, LONG), loop.pass("a", LONG)];
  await expect.poll(() => begun.length).toBe(2);
  loop.endWholePasses();
  expect(await whole).toEqual({ tally: {}, isLeft: true });
  due.push("a", "b");
  loop.wake();
  await expect.poll(() => begun.length).toBe(3);
  for (const item of begun) item.end();
  expect(await one).toEqual({ tally: { a: { done: 2 } }, isLeft: false });
  expect(due).toEqual(["b"]);
});

it("a tally names fifty subjects", () => {
  const tally: Tally = {};
  for (let i = 0; i < 60; i++) addTo(tally, `host-${i}`, { sent: 1 });
  addTo(tally, "host-1", { sent: 1, timeout: 1 });
  expect(Object.keys(tally)).toHaveLength(51);
  expect(tally["host-1"]).toEqual({ sent: 2, timeout: 1 });
  expect(tally.others).toEqual({ sent: 10 });
});
