import { NonRetriableError, RetryAfterError } from "inngest";
import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { fakeClock } from "../../fakes/clock";
import { type App, openApp, runsOf } from "./app";

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

  it("parallel steps run side by side, each once, and what follows them waits for all", async () => {
    const ran: string[] = [];
    let begun = 0;
    let letOn = () => {};
    const together = new Promise<void>((resolve) => {
      letOn = resolve;
    });
    const app = openApp((client) => [
      client.createFunction({ id: "side-by-side", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        const run = (name: string) =>
          step.run(name, async () => {
            if (++begun === 3) letOn();
            await together;
            ran.push(name);
            return name;
          });
        const all = await Promise.all([run("a"), run("b").then(() => run("after-b")), run("c")]);
        await step.run("last", () => ran.push(all.join(" ")));
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    expect(ran.slice(0, 3).sort()).toEqual(["a", "b", "c"]);
    expect(ran.slice(3)).toEqual(["after-b", "a after-b c"]);
  });

  it("of parallel steps one that fails is tried again alone, and its failure can be caught", async () => {
    const clock = fakeClock();
    const ran: string[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "one-fails", retries: 2, triggers: [{ event: "a/b" }] }, async ({ step }) => {
        const good = step.run("good", () => ran.push("good"));
        const bad = step.run("bad", () => {
          throw new Error(`no ${ran.push("bad")}`);
        });
        const sleeping = step.sleep("nap", "2s");
        const [, outcome] = await Promise.all([good, bad.catch((error: Error) => error.message), sleeping]);
        await step.run("then", () => ran.push(outcome as string));
      }),
    ]);
    await app.send("a/b");
    for (let i = 0; i < 6; i++) {
      await app.executor.settle();
      clock.advance(60_000);
    }
    expect(ran).toEqual(["good", "bad", "bad", "bad", "no 4"]);
    expect(await runsOf(app)).toMatchObject([{ state: "done" }]);
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

describe("sleeps", () => {
  it.each([
    ["sleep", 90_000],
    ["sleepUntil", 1_234],
  ] as const)("step.%s goes on when the time is over, and not before", async (tool, ms) => {
    const clock = fakeClock();
    const at = new Date(clock.now() + ms);
    const ran: string[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "sleeps", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        await step.run("before", () => ran.push("before"));
        if (tool === "sleep") await step.sleep("nap", ms);
        else await step.sleepUntil("nap", at);
        await step.run("after", () => ran.push("after"));
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    clock.advance(ms - 1);
    await app.executor.settle();
    expect(ran).toEqual(["before"]);
    clock.advance(1);
    await app.executor.settle();
    expect(ran).toEqual(["before", "after"]);
  });

  it("a race is won by what completed first, also when it is asked again", async () => {
    const clock = fakeClock();
    const ran: unknown[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "race", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        const slow = step.sleep("slow", "20s").then(() => "slow");
        const quick = step.sleep("quick", "10s").then(() => "quick");
        const winner = await Promise.race([slow, quick]);
        await step.run("won", () => ran.push(winner));
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    clock.advance(30_000);
    await app.executor.settle();
    expect(ran).toEqual(["quick"]);
    expect(await runsOf(app)).toMatchObject([{ state: "done" }]);
  });
});

/** Resolves when it is stored that one step of the app's runs has ended. */
async function aStepEnded({ id }: App): Promise<void> {
  const ended =
    "SELECT FROM background_steps s JOIN background_runs r ON r.id = s.run_id WHERE r.app_id = $1 AND s.place IS NOT NULL";
  await expect.poll(() => db().query(ended, [id])).toHaveLength(1);
}

describe("the order in which parallel steps ended", () => {
  it.each([
    ["a", "b"],
    ["b", "a"],
  ])("is kept with the run: %s was first, before %s", async (quick, slow) => {
    const clock = fakeClock();
    const won: unknown[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "order", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        const both = [step.run(quick, () => quick), step.run(slow, () => aStepEnded(app).then(() => slow))];
        const winner = await Promise.race(both);
        await Promise.all(both);
        await step.sleep("nap", "1m");
        won.push(winner);
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    clock.advance(60_000);
    await app.another().executor.settle();
    expect(won).toEqual([quick]);
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
