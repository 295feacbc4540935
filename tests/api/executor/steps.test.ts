import { NonRetriableError, RetryAfterError } from "inngest";
import { describe, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { fakeClock } from "../../fakes/clock";
import { openApp, runsOf } from "./app";

interface Sleeping {
  sleep(id: string, time: string): Promise<void>;
  sleepUntil(id: string, time: Date): Promise<void>;
}

describe("steps", () => {
  it("a function of no step runs once for its event, with the event", async () => {
    const seen: unknown[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "one", triggers: [{ event: "a/b" }] }, async ({ event }) => {
        seen.push([event.name, event.data]);
      }),
    ]);
    await app.send("a/b", { half: "\ud83d", none: "\0", toJSON: 1, "10": 1, "9": 1 });
    await app.send("a/other");
    await app.executor.settle();
    expect(seen).toEqual([["a/b", { half: "\ud83d", none: "\0", toJSON: 1, "10": 1, "9": 1 }]]);
    expect(await runsOf(app)).toMatchObject([{ state: "done", event: "" }]);
  });

  it("a step runs once, and what it gave is there for the steps after it", async () => {
    const ran: string[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "chain", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        const first = await step.run("first", () => ran.push("first") + 40);
        const second = await step.run("second", () => `${ran.push("second")} ${first}`);
        ran.push(second);
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    expect(ran).toEqual(["first", "second", "2 41"]);
  });

  it("parallel steps end the run as failed: the executor does not have them", async () => {
    const app = openApp((client) => [
      client.createFunction({ id: "side-by-side", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        await Promise.all([step.run("a", () => 1), step.run("b", () => 2)]);
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    expect(await runsOf(app)).toMatchObject([{ state: "failed" }]);
    expect(app.logged[0]?.[0]).toMatchObject({ error: "UnsupportedStepPlanned" });
  });

  it.each([
    ["for so long", (step: Sleeping) => step.sleep("rest", "90m")],
    ["until an instant", (step: Sleeping) => step.sleepUntil("rest", new Date(clock().now() + 90 * 60_000))],
  ])("a run sleeps %s, and goes on with what it knew", async (_, rest) => {
    const time = fakeClock();
    const seen: string[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "rests", triggers: [{ event: "a/b" }] }, async ({ step, attempt }) => {
        const before = await step.run("before", () => seen.push("before"));
        await rest(step);
        await step.run("after", () => seen.push(`after ${before}, attempt ${attempt}`));
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    time.advance(89 * 60_000);
    await app.executor.settle();
    expect(seen).toEqual(["before"]);
    expect(await runsOf(app)).toMatchObject([{ state: "open", lease: null }]);
    time.advance(60_000);
    const another = app.another();
    await another.executor.settle();
    expect(seen).toEqual(["before", "after 1, attempt 0"]);
    expect(await runsOf(app)).toMatchObject([{ state: "done" }]);
  });

  it("two sleeps at once end the run as failed", async () => {
    const app = openApp((client) => [
      client.createFunction({ id: "rests-twice", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        await Promise.all([step.sleep("one", "1s"), step.sleep("two", "2s")]);
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    expect(await runsOf(app)).toMatchObject([{ state: "failed" }]);
    expect(app.logged[0]?.[0]).toMatchObject({ error: "UnsupportedSleep" });
  });

  it("a step sends an event, which runs what it triggers", async () => {
    const seen: unknown[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "sends", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        const { ids } = await step.sendEvent("tell", [
          { name: "a/c", data: { n: 1 } },
          { name: "a/c", data: { n: 2 } },
        ]);
        seen.push(ids.length);
      }),
      client.createFunction({ id: "takes", triggers: [{ event: "a/c" }] }, async ({ event }) => {
        seen.push(event.data.n);
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    expect(seen.toSorted()).toEqual([1, 2, 2]);
  });
});

describe("retries", () => {
  const failing = (retries: number | undefined, fail: (attempt: number) => void) => {
    const clock = fakeClock();
    const calls: number[] = [];
    const app = openApp((client) => [
      client.createFunction(
        { id: "fails", triggers: [{ event: "a/b" }], retries: retries as 4 },
        async ({ attempt, step }) => {
          await step.run("work", () => {
            calls.push(attempt);
            fail(attempt);
          });
        },
      ),
    ]);
    const wait = async (ms: number) => {
      await app.executor.settle();
      clock.advance(ms);
      await app.executor.settle();
    };
    return { app, calls, wait };
  };

  it("a step is tried five times, later and later, and then its run has failed and is logged", async () => {
    const { app, calls, wait } = failing(undefined, () => {
      throw new Error("the secret");
    });
    await app.send("a/b");
    await wait(7_000);
    expect(calls).toEqual([0]);
    await wait(6_000);
    expect(calls).toEqual([0, 1]);
    for (let i = 0; i < 9; i++) await wait(3_600_000);
    expect(calls).toEqual([0, 1, 2, 3, 4]);
    expect(await runsOf(app)).toMatchObject([{ state: "failed" }]);
    expect(app.logged).toHaveLength(1);
    expect(app.logged[0]).toMatchObject([{ function: `${app.id}-fails` }, "a background function failed for good"]);
    expect(JSON.stringify(app.logged)).not.toContain("secret");
  });

  it("RetryAfterError says when, NonRetriableError that there is no again", async () => {
    const { app, calls, wait } = failing(3, (attempt) => {
      if (attempt === 0) throw new RetryAfterError("later", 120_000);
      throw new NonRetriableError("no");
    });
    await app.send("a/b");
    await wait(119_000);
    expect(calls).toEqual([0]);
    await wait(1_000);
    expect(calls).toEqual([0, 1]);
    await wait(86_400_000);
    expect(calls).toEqual([0, 1]);
    expect(await runsOf(app)).toMatchObject([{ state: "failed" }]);
  });

  it("progress gives a run all its attempts back", async () => {
    const clock = fakeClock();
    const calls: string[] = [];
    const once = (name: string) => {
      calls.push(name);
      if (calls.filter((call) => call === name).length === 1) throw new Error("once");
    };
    const app = openApp((client) => [
      client.createFunction({ id: "twice", triggers: [{ event: "a/b" }], retries: 1 }, async ({ step }) => {
        await step.run("a", () => once("a"));
        await step.run("b", () => once("b"));
      }),
    ]);
    await app.send("a/b");
    for (let i = 0; i < 4; i++) {
      await app.executor.settle();
      clock.advance(3_600_000);
    }
    expect(calls).toEqual(["a", "a", "b", "b"]);
    expect(await runsOf(app)).toMatchObject([{ state: "done" }]);
  });
});
