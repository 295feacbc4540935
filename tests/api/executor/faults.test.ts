import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Database, db } from "@/server/db/client";
import { fakeClock } from "../../fakes/clock";
import { type App, openApp, runsOf } from "./app";

const LEASE_MS = 15_000;
const POLL_MS = 5_000;
const SOON_MS = 500;

/** A step that ends when it is told to, for each time that it is called. */
function gate() {
  const calls: (() => void)[] = [];
  const pass = () => new Promise<void>((resolve) => calls.push(resolve));
  return { calls, pass };
}

describe("a process that ends", () => {
  it("loses no run and repeats only the step under way; what it still says is not heard", async () => {
    const clock = fakeClock();
    const { calls, pass } = gate();
    const ran: string[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "work", retries: 1, triggers: [{ event: "a/b" }] }, async ({ step }) => {
        await step.run("first", () => void ran.push("first"));
        const by = await step.run("second", async () => {
          await pass();
          return ran.push("second");
        });
        await step.run("third", () => void ran.push(`third ${by}`));
      }),
    ]);
    await app.send("a/b");
    await app.executor.start();
    await expect.poll(() => calls.length).toBe(1);
    await app.executor.stop(0);

    const second = app.another();
    await second.executor.settle();
    expect(calls).toHaveLength(1);
    clock.advance(LEASE_MS);
    const settled = second.executor.settle();
    await expect.poll(() => calls.length).toBe(2);
    calls[0]?.();
    await app.executor.stop();
    calls[1]?.();
    await settled;
    expect(ran).toEqual(["first", "second", "second", "third 3"]);
    expect(await runsOf(app)).toMatchObject([{ state: "done" }]);
  });

  it("keeps an accepted event that nobody had begun", async () => {
    let runs = 0;
    const app = openApp((client) => [
      client.createFunction({ id: "counts", triggers: [{ event: "a/b" }] }, async () => ++runs),
    ]);
    await app.send("a/b");
    await app.executor.stop();
    await app.another().executor.settle();
    expect(runs).toBe(1);
  });

  it("each time at the same step ends the run failed: it is not tried for ever", async () => {
    const clock = fakeClock();
    const { calls, pass } = gate();
    let app: App | undefined;
    for (let i = 0; i < 4; i++) {
      const make: Parameters<typeof openApp>[0] = (client) => [
        client.createFunction({ id: "kills", retries: 2, triggers: [{ event: "a/b" }] }, async ({ step }) => {
          await step.run("a", pass);
        }),
      ];
      app = app ? app.another(make) : openApp(make);
      if (i === 0) await app.send("a/b");
      await app.executor.start();
      if (i < 3) await expect.poll(() => calls.length).toBe(i + 1);
      else await expect.poll(() => app?.logged.length).toBe(1);
      await app.executor.stop(0);
      clock.advance(LEASE_MS);
    }
    expect(calls).toHaveLength(3);
    expect(app && (await runsOf(app))).toMatchObject([{ state: "failed" }]);
  });

  it("when it is stopped takes no new run, waits for the call under way and goes on later, with no attempt lost", async () => {
    const { calls, pass } = gate();
    const ran: string[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "work", retries: 0, triggers: [{ event: "a/b" }] }, async ({ step }) => {
        await step.run("first", async () => {
          await pass();
          ran.push("first");
        });
        await step.run("second", () => void ran.push("second"));
      }),
    ]);
    await app.send("a/b");
    await app.executor.start();
    await expect.poll(() => calls.length).toBe(1);
    const stopped = app.executor.stop();
    await app.send("a/b");
    calls[0]?.();
    await stopped;
    expect(ran).toEqual(["first"]);
    const later = app.another();
    await later.executor.start();
    await expect.poll(() => calls.length).toBe(2);
    calls[1]?.();
    await expect.poll(() => ran.length).toBe(4);
  });
});

describe("two processes on one database", () => {
  it("run each step once", async () => {
    fakeClock(); // no lease is over because the machine is busy
    const ran = new Map<string, number>();
    const app = openApp((client) => [
      client.createFunction({ id: "work", triggers: [{ event: "a/b" }] }, async ({ event, step }) => {
        const count = (name: string) =>
          ran.set(`${event.data.n} ${name}`, (ran.get(`${event.data.n} ${name}`) ?? 0) + 1).size;
        await step.run("a", () => count("a"));
        await step.run("b", () => count("b"));
        await step.run("c", () => count("c"));
      }),
    ]);
    const other = app.another();
    await Promise.all([app.executor.start(), other.executor.start()]);
    await app.client.send(Array.from({ length: 40 }, (_, n) => ({ name: "a/b", data: { n } })));
    await expect.poll(() => ran.size, { timeout: 40_000 }).toBe(120);
    await Promise.all([app.executor.settle(), other.executor.settle()]);
    expect([...ran.values()].every((count) => count === 1)).toBe(true);
  });

  it("a lease lasts as long as its call does", async () => {
    replaceFiveSeconds(SOON_MS);
    const clock = fakeClock();
    const { calls, pass } = gate();
    const app = openApp((client) => [
      client.createFunction({ id: "long", triggers: [{ event: "a/b" }] }, async ({ step }) => step.run("long", pass)),
    ]);
    await app.send("a/b");
    await app.executor.start();
    await expect.poll(() => calls.length).toBe(1);
    const other = app.another();
    clock.advance(LEASE_MS - 1);
    const extended = clock.now() + LEASE_MS;
    // The heart beats by the machine's time.
    await expect.poll(async () => (await runsOf(app))[0]?.dueAt.getTime(), { timeout: 30_000 }).toBe(extended);
    clock.advance(LEASE_MS - 1);
    await other.executor.settle();
    expect(calls).toHaveLength(1);
    calls[0]?.();
  });
});

/** Until the test is over, timers of five seconds, which are the executor's poll and the beat of its leases, take this long instead. */
function replaceFiveSeconds(byMs: number): void {
  for (const name of ["setTimeout", "setInterval"] as const) {
    const real = globalThis[name] as typeof setTimeout;
    const replaced = (work: () => void, ms?: number) => real(work, ms === POLL_MS ? byMs : ms);
    const timers = vi.spyOn(globalThis, name).mockImplementation(replaced as never);
    onTestFinished(() => timers.mockRestore());
  }
}

/** Nothing is found by the executor's poll. */
function withoutPoll(): void {
  replaceFiveSeconds(2 ** 31 - 1);
}

describe("wake-ups", () => {
  it("that come while others are taken in are not left for the poll", async () => {
    withoutPoll();
    let runs = 0;
    const app = openApp((client) => [
      client.createFunction({ id: "counts", triggers: [{ event: "a/b" }] }, async () => ++runs),
    ]);
    await app.executor.start();
    for (let i = 1; i <= 30; i++) {
      await Promise.all([app.send("a/b"), app.send("a/b")]);
      await expect.poll(() => runs, { interval: 2 }).toBe(i * 2);
    }
  });

  it("of another process are found by the poll", async () => {
    replaceFiveSeconds(SOON_MS);
    let runs = 0;
    const app = openApp((client) => [
      client.createFunction({ id: "counts", triggers: [{ event: "a/b" }] }, async () => ++runs),
    ]);
    await app.executor.start();
    await app.another().send("a/b");
    await expect.poll(() => runs, { timeout: 30_000 }).toBe(1);
  });

  it("cost nothing while nothing is due: one statement a poll", async () => {
    replaceFiveSeconds(SOON_MS);
    const statements: string[] = [];
    const watched: Database = {
      ...db(),
      query: (text, values) => {
        statements.push(text);
        return db().query(text, values);
      },
      transaction: (work) => {
        statements.push("BEGIN");
        return db().transaction(work);
      },
    };
    const app = openApp(
      (client) => [client.createFunction({ id: "idle", triggers: [{ event: "a/b" }] }, async () => undefined)],
      { db: watched },
    );
    await app.executor.start();
    const claim = "SET attempt = r.attempt + 1";
    await expect.poll(() => statements.at(-1)).toContain(claim);
    const before = statements.length;
    await expect.poll(() => statements.length, { timeout: 30_000 }).toBeGreaterThan(before);
    expect(statements.slice(before)).toEqual([expect.stringContaining(claim)]);
  });
});

describe("a handler that does not answer well", () => {
  it.each([
    ["throws", async () => Promise.reject(new Error("the secret"))],
    ["hangs", () => new Promise<Response>(() => {})],
    ["answers 401", async () => Response.json({ message: "Unauthorized" }, { status: 401 })],
    ["answers 500 without a word", async () => new Response(null, { status: 500 })],
    ["answers 206 with nothing", async () => Response.json([], { status: 206 })],
    ["answers 206 with nonsense", async () => new Response("nonsense", { status: 206 })],
  ])(
    "and %s is called as often as the function may be tried; then the run has failed and is logged",
    async (_, answer) => {
      const clock = fakeClock();
      let calls = 0;
      const app = openApp(
        (client) => [
          client.createFunction({ id: "well", retries: 2, triggers: [{ event: "a/b" }] }, async () => undefined),
        ],
        {
          callLimitMs: 50,
          before: (request, next) => {
            if (request.method === "PUT") return next(request);
            calls++;
            return answer();
          },
        },
      );
      await app.send("a/b");
      for (let i = 0; i < 5; i++) {
        await app.executor.settle();
        clock.advance(3_600_000);
      }
      expect(calls).toBe(3);
      expect(await runsOf(app)).toMatchObject([{ state: "failed" }]);
      expect(app.logged).toHaveLength(1);
      expect(JSON.stringify(app.logged)).not.toContain("secret");
    },
  );

  it("fails the run for an instruction that the executor does not have, and says which", async () => {
    const app = openApp((client) => [
      client.createFunction({ id: "waits", triggers: [{ event: "a/b" }] }, async ({ step }) => {
        await step.waitForEvent("wait", { event: "a/c", timeout: "1h" });
      }),
    ]);
    await app.send("a/b");
    await app.executor.settle();
    expect(await runsOf(app)).toMatchObject([{ state: "failed" }]);
    expect(app.logged[0]?.[0]).toMatchObject({ error: "UnsupportedWaitForEvent", function: `${app.id}-waits` });
  });

  it("refuses to start on a function that it cannot run", async () => {
    const app = openApp((client) => [
      client.createFunction(
        { id: "priority", priority: { run: "100" }, triggers: [{ event: "a/b" }] },
        async () => undefined,
      ),
    ]);
    await expect(app.executor.start()).rejects.toThrow(`the function ${app.id}-priority uses priority,`);
    await app.executor.stop();
  });
});

describe("a database that goes away", () => {
  it("is waited for: nothing is lost, and the outage is logged once", async () => {
    fakeClock();
    let isAway = false;
    let underWay = 0;
    const failing = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    const reached = async <T>(work: () => Promise<T>): Promise<T> => {
      if (isAway) throw failing;
      underWay++;
      return await work().finally(() => underWay--);
    };
    const database: Database = {
      ...db(),
      query: (text, values) => reached(() => db().query(text, values)),
      transaction: (work) => reached(() => db().transaction(work)),
    };
    const { calls, pass } = gate();
    const ran: string[] = [];
    const app = openApp(
      (client) => [
        client.createFunction({ id: "work", retries: 0, triggers: [{ event: "a/b" }] }, async ({ step }) => {
          await step.run("first", async () => {
            await pass();
            ran.push("first");
          });
          await step.run("second", () => void ran.push("second"));
        }),
      ],
      { db: database },
    );
    await app.executor.start();
    await app.send("a/b");
    await expect.poll(() => calls.length).toBe(1);
    // What is under way would still come back, and say that the database is there.
    while (underWay > 0) await nextTurn();
    isAway = true;
    calls[0]?.();
    await expect.poll(() => app.logged.length).toBe(1);
    const event = { method: "POST", body: JSON.stringify({ name: "a/b", data: {}, ts: Date.now() }) };
    const refused = await app.executor.receive(new Request("http://executor.invalid/e/test", event));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    isAway = false;
    await expect.poll(() => ran, { timeout: 30_000 }).toEqual(["first", "second"]);
    await expect.poll(() => app.logged.length).toBe(2);
    expect(app.logged.map(([, sentence]) => sentence)).toEqual([
      "the executor cannot reach the database: background work waits",
      "the executor reaches the database again",
    ]);
  });
});
