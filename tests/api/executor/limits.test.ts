import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Plan } from "@/server/jobs/executor/plan";
import { openStore } from "@/server/jobs/executor/store";
import { fakeClock } from "../../fakes/clock";
import { type App, openApp } from "./app";

interface Limit {
  limit: number;
  key?: string;
}

/** How many steps were ever under way at once, in all and by the value of a field. None ends before there were as many as are awaited. */
function gauge(awaited: Record<string, number>) {
  const under = new Map<string, number>();
  const most = new Map<string, number>();
  let letOn = () => {};
  const reached = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  const look = () => {
    if (Object.entries(awaited).every(([name, count]) => (most.get(name) ?? 0) >= count)) letOn();
  };
  look();
  const during = async (names: string[], work: () => Promise<void>) => {
    for (const name of names) {
      under.set(name, (under.get(name) ?? 0) + 1);
      most.set(name, Math.max(most.get(name) ?? 0, under.get(name) ?? 0));
    }
    look();
    await reached;
    await work();
    for (const name of names) under.set(name, (under.get(name) ?? 0) - 1);
  };
  return { during, most };
}

function openLimited(concurrency: number | Limit | [Limit, Limit], awaited: Record<string, number> = {}) {
  const { during, most } = gauge(awaited);
  let done = 0;
  const app = openApp((client) => [
    client.createFunction({ id: "limited", concurrency, triggers: [{ event: "a/b" }] }, async ({ event, step }) => {
      const { key } = event.data as { key: string };
      const work = (name: string) => step.run(name, () => during(["all", key], () => sleep(25)));
      await Promise.all([work("a"), work("b")]);
      done++;
    }),
  ]);
  return { app, most, done: () => done };
}

async function sendMany(app: App, keys: string[]): Promise<void> {
  await app.client.send(keys.map((key) => ({ name: "a/b", data: { key } })));
}

const keys = Array.from({ length: 24 }, (_, index) => "xyz"[index % 3] ?? "");

describe("concurrency", () => {
  it.each([
    ["a number", 3, { all: 3 }],
    ["an object", { limit: 2 }, { all: 2 }],
    ["a key", { limit: 2, key: "event.data.key" }, { x: 2, y: 2, z: 2 }],
    [
      "two limits",
      [{ limit: 3 }, { limit: 1, key: "event.data.key" }] satisfies [Limit, Limit],
      { all: 3, x: 1, y: 1, z: 1 },
    ],
  ])("as %s is reached and never exceeded, by two processes and through parallel steps", async (_, limit, expected) => {
    fakeClock(); // no lease is over because the machine is busy
    const { app, most, done } = openLimited(limit, expected);
    const other = app.another();
    await sendMany(app, keys);
    await Promise.all([app.executor.start(), other.executor.start()]);
    await expect.poll(done, { timeout: 40_000 }).toBe(keys.length);
    expect(Object.fromEntries(most)).toMatchObject(expected);
  });

  it("runs that must wait do not hold up others behind them", async () => {
    const { app, most, done } = openLimited({ limit: 1, key: "event.data.key" });
    await sendMany(
      app,
      Array.from({ length: 230 }, () => "many"),
    );
    await sendMany(app, ["single"]);
    await app.executor.start();
    await expect.poll(() => most.get("single"), { timeout: 40_000 }).toBe(1);
    expect(done()).toBeLessThan(15);
  });

  it("a run that sleeps takes no place", async () => {
    const clock = fakeClock();
    const order: string[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "naps", concurrency: 1, triggers: [{ event: "a/b" }] }, async ({ event, step }) => {
        await step.run("before", () => void order.push(`before ${event.data.n}`));
        await step.sleep("nap", "1s");
        await step.run("after", () => void order.push(`after ${event.data.n}`));
      }),
    ]);
    await app.client.send([1, 2].map((n) => ({ name: "a/b", data: { n } })));
    await app.executor.settle();
    expect(order.toSorted()).toEqual(["before 1", "before 2"]);
    clock.advance(1_000);
    await app.executor.settle();
    expect(order.slice(2).sort()).toEqual(["after 1", "after 2"]);
  });

  it("holds for any number of claims at the same moment", async () => {
    const { app } = openLimited({ limit: 2, key: "event.data.key" });
    await sendMany(app, keys);
    const claims = await Promise.all(Array.from({ length: 9 }, () => storeOf(app).claim(limitedPlans(app, 2), 16, [])));
    expect(claims.flatMap(({ runs }) => runs)).toHaveLength(6);
  });

  it("counts a run that its process still calls although its lease is over", async () => {
    const clock = fakeClock();
    const { app } = openLimited({ limit: 1, key: "event.data.key" });
    await sendMany(app, ["x", "x"]);
    const store = storeOf(app);
    const [first] = (await store.claim(limitedPlans(app, 1), 16, [])).runs;
    clock.advance(15_000);
    expect((await store.claim(limitedPlans(app, 1), 16, [first?.id ?? ""])).runs).toEqual([]);
    expect((await store.claim(limitedPlans(app, 1), 16, [])).runs).toHaveLength(1);
  });
});

const storeOf = (app: App) => openStore(db(), app.id);

function limitedPlans(app: App, limit: number): Plan[] {
  const limits = [{ limit, key: ["key"] }];
  return [{ id: `${app.id}-limited`, maxAttempts: 5, events: ["a/b"], crons: [], limits }];
}
