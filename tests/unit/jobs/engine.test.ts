import { NonRetriableError, RetryAfterError } from "inngest";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEngine } from "@/server/jobs/engine/engine";
import { nextTick } from "@/server/jobs/engine/ticks";
import { durationOf, retryWait } from "@/server/jobs/engine/waits";
import type { JobFunction } from "@/server/jobs/job-function";
import { fakeClock } from "@/tests/fakes/clock";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.parse("2026-11-28T12:00:30Z");

/** An engine with one function, beside a clock that stands still. */
function opened(declared: Partial<JobFunction> & Pick<JobFunction, "handler">) {
  const clock = fakeClock(NOON);
  const logged: [object, string][] = [];
  const one: JobFunction = { id: "one", name: "One", triggers: [{ event: "a/b" }], retries: 3, ...declared };
  const warn = (facts: object, line: string) => logged.push([facts, line]);
  const engine = openEngine([one], { warn, debug() {} } as never);
  onTestFinished(() => engine.stop(0));
  const wait = async (ms: number) => {
    await engine.settle();
    clock.advance(ms);
    await engine.settle();
  };
  return { engine, logged, wait };
}

describe("flow control", () => {
  /** A function whose runs end when they are told to. Gives the events whose runs have begun. */
  function held(declared: Partial<JobFunction>) {
    const begun: { id: unknown; end(): void }[] = [];
    const { engine } = opened({
      ...declared,
      handler: ({ event, step }) =>
        step.run("work", () => new Promise<void>((end) => begun.push({ id: event.data?.id, end }))),
    });
    const send = (data: object) => engine.send({ name: "a/b", data: { ...data } });
    const ids = () => begun.map(({ id }) => id);
    return { send, ids, begun };
  }

  it("a singleton has one run for each value of its key, and one more for what came meanwhile", async () => {
    const { send, ids, begun } = held({ singleton: { key: "event.data.application", mode: "skip" } });
    for (const id of [1, 2, 3]) send({ application: "a", id });
    send({ application: "b", id: 4 });
    await expect.poll(ids).toEqual([1, 4]);
    begun[0]?.end();
    await expect.poll(ids).toEqual([1, 4, 2]);
    begun[2]?.end();
    begun[1]?.end();
    send({ application: "a", id: 5 });
    await expect.poll(ids).toEqual([1, 4, 2, 5]);
    begun[3]?.end();
  });

  it("a singleton without a key has one run", async () => {
    const { send, ids, begun } = held({ singleton: { mode: "skip" } });
    send({ application: "a", id: 1 });
    send({ application: "b", id: 2 });
    await expect.poll(ids).toEqual([1]);
    begun[0]?.end();
    await expect.poll(ids).toEqual([1, 2]);
    begun[1]?.end();
  });

  it("a run that hangs is over when its time is, and does no more steps", async () => {
    const steps: string[] = [];
    const ends: (() => void)[] = [];
    const { engine } = opened({
      ...{ singleton: { mode: "skip" }, timeouts: { finish: "1s" } },
      handler: async ({ step, event }) => {
        await step.run("hang", () => new Promise<void>((end) => ends.push(end)));
        await step.run("next", async () => steps.push(`after ${event.data?.id}`));
      },
    });
    engine.send({ name: "a/b", data: { id: 1 } });
    engine.send({ name: "a/b", data: { id: 2 } });
    await expect.poll(() => ends.length, { timeout: 3_000 }).toBe(2);
    for (const end of ends) end();
    await expect.poll(() => steps).toEqual(["after 2"]);
  });

  it("concurrency lets so many runs of a key work at once, and none is lost", async () => {
    const { send, ids, begun } = held({ concurrency: [{ key: "event.data.provider", limit: 2 }] });
    for (const id of [1, 2, 3, 4]) send({ provider: "google", id });
    send({ provider: "icloud", id: 5 });
    await expect.poll(ids).toEqual([1, 2, 5]);
    begun[1]?.end();
    await expect.poll(ids).toEqual([1, 2, 5, 3]);
    for (const one of begun) one.end();
    await expect.poll(ids).toEqual([1, 2, 5, 3, 4]);
    begun[4]?.end();
  });
});

describe("a run", () => {
  it("begins for an event of its function's name, with the event, and for no other", async () => {
    const seen: unknown[] = [];
    const { engine } = opened({ handler: async ({ event }) => seen.push(event) });
    engine.send({ name: "a/b", data: { half: "\ud83d", n: 1 } });
    engine.send({ name: "a/other" });
    await engine.settle();
    expect(seen).toEqual([{ name: "a/b", data: { half: "\ud83d", n: 1 } }]);
  });

  it("begins at its event's time", async () => {
    let runs = 0;
    const { engine, wait } = opened({ handler: async () => runs++ });
    engine.send({ name: "a/b", ts: NOON + MINUTE });
    await wait(MINUTE - 1);
    expect(runs).toBe(0);
    await wait(1);
    expect(runs).toBe(1);
  });

  it("is one for events of one id until it is over", async () => {
    let end = () => {};
    const ends: string[] = [];
    const { engine } = opened({
      handler: async ({ step }) => {
        await step.run("work", () => new Promise<void>((resolve) => (end = resolve)));
        ends.push("over");
      },
    });
    const event = { id: "1", name: "a/b" };
    engine.send(event);
    engine.send(event);
    engine.send({ ...event, ts: NOON + MINUTE });
    end();
    await engine.settle();
    expect(ends).toEqual(["over"]);
    engine.send(event);
    end();
    await engine.settle();
    expect(ends).toEqual(["over", "over"]);
  });

  it("has each step once, whose result is JSON, as an Inngest server gives it back", async () => {
    const seen: unknown[] = [];
    const { engine } = opened({
      handler: async ({ step }) => {
        const first = await step.run("first", async () => ({ at: new Date(0), none: undefined }));
        const nothing = await step.run("nothing", async () => {});
        const again = await step.run("first", async () => "never");
        seen.push(first, nothing, again);
      },
    });
    engine.send({ name: "a/b" });
    await engine.settle();
    const json = { at: "1970-01-01T00:00:00.000Z" };
    expect(seen).toEqual([json, null, json]);
  });

  it("sleeps, and goes on", async () => {
    const seen: string[] = [];
    const { engine, wait } = opened({
      handler: async ({ step }) => {
        await step.run("before", async () => seen.push("before"));
        await step.sleep("rest", "1h30m");
        await step.run("after", async () => seen.push("after"));
      },
    });
    engine.send({ name: "a/b" });
    await wait(89 * MINUTE);
    expect(seen).toEqual(["before"]);
    await wait(MINUTE);
    expect(seen).toEqual(["before", "after"]);
  });
});

describe("a failure", () => {
  const failing = (fail: (call: number) => void, retries: JobFunction["retries"] = 3) => {
    let calls = 0;
    const made = opened({ retries, handler: ({ step }) => step.run("work", async () => fail(++calls)) });
    return { ...made, calls: () => calls };
  };

  it("of a step is tried again, later and later, and then logged, without the error's words", async () => {
    const { engine, logged, wait, calls } = failing(() => {
      throw new Error("the secret");
    });
    engine.send({ name: "a/b" });
    await wait(7_000);
    expect(calls()).toBe(1);
    await wait(6_000);
    expect(calls()).toBe(2);
    for (let i = 0; i < 5; i++) await wait(HOUR);
    expect(calls()).toBe(4);
    const line = "a background function failed for good";
    expect(logged).toEqual([[{ function: "one", error: "Error" }, line]]);
  });

  it("says when to try again, or never", async () => {
    const { engine, logged, wait, calls } = failing((call) => {
      if (call === 1) throw new RetryAfterError("later", 120_000);
      throw new NonRetriableError("no");
    });
    engine.send({ name: "a/b" });
    await wait(119_000);
    expect(calls()).toBe(1);
    await wait(1_000);
    expect(calls()).toBe(2);
    await wait(24 * HOUR);
    expect(calls()).toBe(2);
    expect(logged).toMatchObject([[{ error: "NonRetriableError" }, "a background function failed for good"]]);
  });

  it("while the database is away is no news", async () => {
    const { engine, logged } = failing(() => {
      throw Object.assign(new Error("terminating connection"), { code: "57P01" });
    }, 0);
    engine.send({ name: "a/b" });
    await engine.settle();
    expect(logged).toEqual([]);
  });

  it("outside of steps repeats the function, not what is done", async () => {
    const calls: string[] = [];
    const { engine, wait } = opened({
      retries: 1,
      handler: async ({ step }) => {
        await step.run("a", async () => calls.push("a"));
        calls.push("between");
        if (calls.length === 2) throw new Error("once");
        await step.run("b", async () => calls.push("b"));
      },
    });
    engine.send({ name: "a/b" });
    await wait(MINUTE);
    expect(calls).toEqual(["a", "between", "between", "b"]);
  });

  it("of one step leaves the next all its attempts", async () => {
    const calls: string[] = [];
    const once = async (name: string) => {
      calls.push(name);
      if (calls.filter((call) => call === name).length === 1) throw new Error("once");
    };
    const { engine, logged, wait } = opened({
      retries: 1,
      handler: async ({ step }) => {
        await step.run("a", () => once("a"));
        await step.run("b", () => once("b"));
      },
    });
    engine.send({ name: "a/b" });
    for (let i = 0; i < 2; i++) await wait(MINUTE);
    expect(calls).toEqual(["a", "a", "b", "b"]);
    expect(logged).toEqual([]);
  });
});

describe("crons", () => {
  const cron = (ticks: string[], more: Partial<JobFunction> = {}) =>
    opened({
      triggers: [{ cron: "*/5 * * * *" }],
      handler: async ({ event }) => ticks.push(event.name),
      ...more,
    });

  it("tick at their times and not before; of several missed ticks one is made up for", async () => {
    const ticks: string[] = [];
    const { wait } = cron(ticks);
    await wait(4 * MINUTE);
    expect(ticks).toEqual([]);
    await wait(MINUTE);
    expect(ticks).toEqual(["inngest/scheduled.timer"]);
    await wait(HOUR);
    expect(ticks).toHaveLength(2);
  });

  it("run at the start where ticks may have been missed", async () => {
    const ticks: string[] = [];
    const one: JobFunction = {
      ...{ id: "one", name: "One", triggers: [{ cron: "17 3 * * *" }], retries: 0 },
      handler: async ({ event }) => ticks.push(event.name),
    };
    const engine = openEngine([one], { warn() {} } as never);
    engine.start([one]);
    await engine.settle();
    await engine.stop();
    expect(ticks).toEqual(["inngest/scheduled.timer"]);
  });

  it.each([
    ["*/15 * * * *", "2026-03-29T00:50:00Z", "2026-03-29T01:00:00.000Z"],
    ["30 2 * * *", "2026-03-29T00:50:00Z", "2026-03-29T02:30:00.000Z"],
    ["0 0 1 1 *", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00.000Z"],
    ["0 12 * * MON-FRI", "2026-03-28T00:00:00Z", "2026-03-30T12:00:00.000Z"],
  ])("%s ticks in UTC, after %s at %s", (expression, after, tick) => {
    expect(new Date(nextTick(expression, Date.parse(after)) ?? 0).toISOString()).toBe(tick);
  });
});

describe("an engine that stops", () => {
  it("begins nothing, waits for the step in progress, and leaves the next to another process", async () => {
    const seen: string[] = [];
    let end = () => {};
    const { engine } = opened({
      handler: async ({ event, step }) => {
        await step.run("first", async () => {
          seen.push(`${event.id} first`);
          await new Promise<void>((resolve) => (end = resolve));
        });
        await step.run("second", async () => seen.push("second"));
      },
    });
    engine.send({ id: "1", name: "a/b" });
    const stopped = engine.stop().then(() => seen.push("stopped"));
    engine.send({ id: "2", name: "a/b" });
    end();
    await stopped;
    expect(seen).toEqual(["1 first", "stopped"]);
  });

  it("waits no longer than it may", async () => {
    const { engine } = opened({ handler: ({ step }) => step.run("hangs", () => new Promise(() => {})) });
    engine.send({ name: "a/b" });
    await engine.stop(20);
  });

  it("begins by itself what is due, by a timer", async () => {
    let runs = 0;
    const one: JobFunction = {
      ...{ id: "one", name: "One", triggers: [{ event: "a/b" }], retries: 0 },
      handler: async () => runs++,
    };
    const engine = openEngine([one], { warn() {} } as never);
    engine.start([]);
    engine.send({ name: "a/b", ts: Date.now() + 20 });
    expect(runs).toBe(0);
    await expect.poll(() => runs).toBe(1);
    await engine.stop();
  });
});

describe("the wait before another attempt", () => {
  it("is what the error asks for, between a second and a day", () => {
    expect(retryWait(1, new RetryAfterError("", 90_000), NOON)).toBe(90_000);
    expect(retryWait(1, new RetryAfterError("", 0), NOON)).toBe(1_000);
    expect(retryWait(1, new RetryAfterError("", 999_999_000), NOON)).toBe(86_400_000);
    expect(retryWait(1, new RetryAfterError("", new Date(NOON + 5_000)), NOON)).toBe(5_000);
  });

  it.each([
    [1, 10],
    [2, 20],
    [4, 80],
    [20, 3_600],
  ])("else doubles: before attempt %i it is about %i seconds, never twice the same", (attempt, seconds) => {
    const waits = Array.from({ length: 20 }, () => retryWait(attempt, new Error(), NOON) / 1_000);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds * 0.75);
    expect(Math.max(...waits)).toBeLessThanOrEqual(seconds * 1.25);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});

it("a sleep is as long as the SDK would sleep", () => {
  expect(durationOf("30s")).toBe(30_000);
  expect(durationOf("1w2d3h4m5s")).toBe(788_645_000);
  expect(() => durationOf("soon")).toThrow('the engine knows no duration "soon"');
});

describe("what a function declares and the engine does not have is refused at the start", () => {
  it.each([
    [{ batchEvents: { maxSize: 10, timeout: "5s" } }, "batchEvents"],
    [{ concurrency: 3 }, "concurrency"],
    [{ concurrency: [{ key: "event.data.a + event.data.b", limit: 1 }] }, "the key"],
    [{ singleton: { mode: "cancel" } }, "the mode cancel"],
    [{ timeouts: { start: "1m" } }, "timeouts.start"],
    [{ somethingNew: true }, "somethingNew"],
    [{ retries: 21 }, "retries of 21"],
    [{ triggers: [] }, "no trigger"],
    [{ triggers: [{ event: "a/b", if: "event.data.n > 1" }] }, "a trigger with if"],
    [{ triggers: [{ event: "a/*" }] }, "by a pattern"],
    [{ triggers: [{ event: "inngest/function.failed" }] }, "inngest/function.failed"],
    [{ triggers: [{ cron: "* * * * * *" }] }, "the cron"],
    [{ triggers: [{ cron: "TZ=Europe/Paris 0 12 * * *" }] }, "the cron"],
    [{ triggers: [{ cron: "0 0 30 2 *" }] }, "the cron"],
    [{ triggers: [{ cron: "nonsense" }] }, "the cron"],
    [{ triggers: [{ cron: "0 0 * * *", jitter: "1m" }] }, "a trigger with jitter"],
  ])("%j", (more, feature) => {
    const declared = {
      id: "fn",
      name: "Fn",
      triggers: [{ event: "a/b" }],
      retries: 0,
      handler: async () => {},
      ...more,
    };
    const open = () => openEngine([declared as unknown as JobFunction], { warn() {} } as never);
    expect(open).toThrow(/^the function fn uses .*, which the embedded engine does not have$/);
    expect(open).toThrow(feature);
  });

  it("a trigger by a cancelled run is accepted, though no run is ever cancelled here", () => {
    opened({ triggers: [{ event: "inngest/function.cancelled" }], handler: async () => {} });
  });
});
