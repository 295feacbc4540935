import { randomUUID } from "node:crypto";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Take } from "@/server/http/rate-limit/buckets";
import { type Limiter, limiter } from "@/server/http/rate-limit/limiter";
import { fakeClock } from "@/tests/fakes/clock";

// tests/redis needs a Redis: TEST_REDIS_URL or the one on this machine.
const URL_OF_REDIS = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const prefix = `almanac-test:${randomUUID()}:`;
const direct = new Redis(URL_OF_REDIS);
const cleanups: (() => void)[] = [];
/** What a request waits for a Redis that has answered so far, and for one that has not. */
const PATIENCE_MS = 500;
const DEADLINE_MS = 50;
/** A token comes back every 40 ms of Redis' own time. */
const REFILL_MS = 40;

beforeEach(() => {
  // Nothing here ends by its time being over, unless a test says so.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  fakeClock();
});

afterEach(() => {
  vi.useRealTimers();
  for (const clean of cleanups.splice(0)) clean();
});

afterAll(async () => {
  const keys = await direct.keys(`${prefix}*`);
  if (keys.length > 0) await direct.del(...keys);
  direct.disconnect();
});

/** A way to Redis on which answers can be held back. */
async function link() {
  const target = new URL(URL_OF_REDIS);
  const sockets = new Set<Socket>();
  let held: (() => void)[] | null = null;
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port || 6379), target.hostname);
    for (const each of [socket, upstream]) {
      sockets.add(each);
      each.on("error", () => undefined);
    }
    socket.pipe(upstream);
    upstream.on("data", (data) => {
      const pass = () => void socket.write(data);
      if (held) held.push(pass);
      else pass();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      held ??= [];
    },
    release: () => {
      for (const pass of held ?? []) pass();
      held = null;
    },
    /** Answers that wait. */
    waiting: () => held?.length ?? 0,
  };
}

function limiterAt(redisUrl: string) {
  const lines: unknown[][] = [];
  const limits = limiter({ redisUrl, log: (...line) => lines.push(line), keyPrefix: prefix });
  cleanups.push(() => limits.close());
  return { limits, lines };
}

const taking = (limits: Limiter, accountId = "acc", applicationId = prefix) =>
  Promise.resolve(limits.take({ applicationId, accountId }));

/** Until an answer of Redis is there, but held back. No time passes for the service. */
async function untilHeld(redis: { waiting(): number }): Promise<void> {
  while (redis.waiting() === 0) await nextTurn();
}

describe("a Redis that is slow", () => {
  it("is ready when it has answered, not before", async () => {
    const redis = await link();
    redis.hold();
    const { limits, lines } = limiterAt(redis.url);
    const isReady = vi.fn();
    const ready = limits.ready().then(isReady);
    await untilHeld(redis);
    expect(isReady).not.toHaveBeenCalled();
    redis.release();
    await ready;
    redis.hold();
    const take = taking(limits);
    await untilHeld(redis);
    redis.release();
    expect(await take).toMatchObject({ limit: 150, remaining: 149 });
    expect(lines).toEqual([]);
  });

  it("counts all of 400 requests that meet a new process at once, though it answers none of them for 400 ms", async () => {
    const redis = await link();
    const { limits, lines } = limiterAt(redis.url);
    await limits.ready();
    redis.hold();
    const started = performance.now();
    const takes = Array.from({ length: 400 }, () => taking(limits, "burst"));
    await untilHeld(redis);
    await vi.advanceTimersByTimeAsync(400);
    redis.release();
    const admitted = (await Promise.all(takes)).filter(({ allowed }) => allowed).length;
    expect(admitted).toBeGreaterThanOrEqual(150);
    expect(admitted).toBeLessThanOrEqual(150 + Math.ceil((performance.now() - started) / REFILL_MS));
    expect(lines).toEqual([]);
  });

  it("grants no second burst when it stops answering in the middle of one, in either of two processes", async () => {
    const redis = await link();
    const both = [limiterAt(redis.url).limits, limiterAt(redis.url).limits];
    for (const limits of both) await limits.ready();
    const started = performance.now();
    const answered: Take[] = [];
    for (let i = 0; i < 100; i += 1) {
      const each = both.map((limits) => taking(limits, "cut off"));
      answered.push(...(await Promise.all(each)));
    }
    redis.hold();
    const unanswered = both.flatMap((limits) => Array.from({ length: 100 }, () => taking(limits, "cut off")));
    await untilHeld(redis);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    const takes = [...answered, ...(await Promise.all(unanswered))];
    const admitted = takes.filter(({ allowed }) => allowed).length;
    expect(admitted).toBeGreaterThanOrEqual(150);
    // Each process may have one token of which the other's last answer did not know yet.
    expect(admitted).toBeLessThanOrEqual(152 + Math.ceil((performance.now() - started) / REFILL_MS));
  });

  it("is not down when others were answered while one waited", async () => {
    const redis = await link();
    const { limits, lines } = limiterAt(redis.url);
    await limits.ready();
    redis.hold();
    const first = taking(limits, "alive");
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await first;
    const second = taking(limits, "alive"); // waits less now
    await untilHeld(redis);
    redis.release();
    await vi.waitFor(async () => expect((await taking(limits, "alive")).remaining).toBeLessThan(149));
    await second;
    redis.hold();
    const third = taking(limits, "alive");
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    redis.release();
    await third;
    expect(lines).toEqual([]);
  });

  it("is no outage for one late answer: that request alone is decided here", async () => {
    const redis = await link();
    const { limits, lines } = limiterAt(redis.url);
    await limits.ready();
    for (let i = 0; i < 10; i += 1) await taking(limits, "late");
    redis.hold();
    const late = taking(limits, "late");
    await untilHeld(redis);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect((await late).remaining).toBeLessThanOrEqual(140);
    redis.release();
    const next = await taking(limits, "late");
    expect(next.remaining).toBeLessThanOrEqual(140);
    expect(lines).toEqual([]);
  });

  it("is one when the next request gets no answer either, and is left alone then", async () => {
    const redis = await link();
    const { limits, lines } = limiterAt(redis.url);
    await limits.ready();
    redis.hold();
    const first = taking(limits, "silent");
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await first).toMatchObject({ remaining: 149 });
    expect(lines).toEqual([]);
    const second = taking(limits, "silent");
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await second).toMatchObject({ remaining: 148 });
    expect(lines).toEqual([["warn", expect.stringContaining("isn't responding"), { error: "ETIMEDOUT" }]]);
    expect(await taking(limits, "silent")).toMatchObject({ remaining: 147 }); // at once
  });

  it("does not keep a process from its start for ever, and is reported then", async () => {
    const redis = await link();
    redis.hold();
    const { limits, lines } = limiterAt(redis.url);
    const ready = limits.ready();
    await vi.advanceTimersByTimeAsync(2_000);
    await ready;
    expect(lines).toHaveLength(1);
    expect(await taking(limits)).toMatchObject({ remaining: 149 });
  });
});
