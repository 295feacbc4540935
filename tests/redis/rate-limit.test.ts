import { randomUUID } from "node:crypto";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import {
  ACCOUNT,
  APPLICATION,
  type Bucket,
  bucket,
  decide,
  type Take,
  WRONG_CREDENTIALS,
} from "@/server/http/rate-limit/buckets";
import { memoryStore } from "@/server/http/rate-limit/memory";
import { redisStore, TAKE_SCRIPT } from "@/server/http/rate-limit/redis";
import type { Draw, Mode, Store } from "@/server/http/rate-limit/store";

// tests/redis needs a Redis: TEST_REDIS_URL or the one on this machine.
const URL_OF_REDIS = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const direct = new Redis(URL_OF_REDIS);
const prefix = `almanac-test:${randomUUID()}:`;
/** What the service waits is too short for a machine that is busy with other things. */
const PATIENCE_MS = 30_000;
const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

afterAll(async () => {
  const keys = await direct.keys(`${prefix}*`);
  if (keys.length > 0) await direct.del(...keys);
  direct.disconnect();
});

interface Shared {
  store: Store;
  lines: unknown[][];
  time: { ms: number };
}

function shared(url = URL_OF_REDIS, keyPrefix = prefix): Shared {
  const lines: unknown[][] = [];
  const time = { ms: 0 };
  const monotonic = () => time.ms;
  const store = redisStore({
    url,
    local: memoryStore(monotonic),
    monotonic,
    log: (...line) => lines.push(line),
    keyPrefix,
    deadlineMs: PATIENCE_MS,
  });
  cleanups.push(() => store.close());
  return { store, lines, time };
}

function request(application: string, account: string): Draw[] {
  return [
    { bucket: APPLICATION, tag: application, key: application },
    { bucket: ACCOUNT, tag: application, key: account },
  ];
}

/** A thousand times slower: a busy machine does not matter to it. */
function slower({ interval, capacity, deepest, ...bucket }: Bucket): Bucket {
  return { ...bucket, interval: interval * 1_000, capacity: capacity * 1_000, deepest: deepest * 1_000 };
}

describe("buckets in Redis", () => {
  it("admit exactly 150 of 400 requests of one account that come at once, from two processes", async () => {
    const [one, two] = [shared(), shared()];
    const application = randomUUID();
    const started = performance.now();
    const takes = await Promise.all(
      Array.from({ length: 400 }, (_, i) => (i % 2 ? one : two).store.run("take", request(application, "acc"))),
    );
    const refilled = Math.floor((performance.now() - started) / 40) + 1;
    const admitted = takes.filter((take) => take.allowed).length;
    expect(admitted).toBeGreaterThanOrEqual(150);
    expect(admitted).toBeLessThanOrEqual(150 + refilled);
    expect([...one.lines, ...two.lines]).toEqual([]);
  });

  it("of one request have keys in one slot that end when the buckets are full", async () => {
    const { store } = shared();
    const application = randomUUID();
    const slowly = request(application, "acc").map((draw) => ({ ...draw, bucket: slower(draw.bucket) }));
    for (let i = 0; i < 25; i += 1) await store.run("take", slowly);
    const keys = (await direct.keys(`${prefix}{${application}}*`)).sort();
    expect(keys).toEqual([
      `${prefix}{${application}}:account:acc`,
      `${prefix}{${application}}:application:${application}`,
    ]);
    const [account, ofApplication] = await Promise.all(keys.map((key) => direct.pttl(key)));
    expect(account).toBeGreaterThan(950_000);
    expect(account).toBeLessThanOrEqual(1_000_000);
    expect(ofApplication).toBeGreaterThan(200_000);
    expect(ofApplication).toBeLessThanOrEqual(250_000);
  });

  it("answer any sequence of requests as memory does at the same microsecond", async () => {
    const step = fc.record({
      mode: fc.constantFrom<Mode>("take", "take", "take", "peek", "charge"),
      times: fc.integer({ min: 1, max: 180 }),
      // Eighths of a millisecond, exact in binary.
      wait: fc.integer({ min: 0, max: 4000 }).map((eighths) => eighths / 8),
      kind: fc.constantFrom("both", "application", "wrong"),
      account: fc.constantFrom("a", "b"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const application = randomUUID();
        const time = { ms: 1_800_000_000_000 };
        const memory = memoryStore(() => time.ms);
        for (const { mode, times, wait, kind, account } of steps) {
          time.ms += wait;
          const draws = drawsOf(kind, application, account);
          const answers = Array.from({ length: times }, () => atTime(time.ms, mode, draws));
          expect(await Promise.all(answers)).toEqual(answers.map(() => memory.run(mode, draws)));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are found again after Redis has forgotten its scripts", async () => {
    const { store, lines } = shared();
    const application = randomUUID();
    await store.run("take", request(application, "acc"));
    await direct.script("FLUSH");
    expect(await store.run("take", request(application, "acc"))).toMatchObject({ allowed: true, limit: 150 });
    expect(lines).toEqual([]);
  });
});

function drawsOf(kind: string, application: string, account: string): Draw[] {
  if (kind === "wrong") return [{ bucket: WRONG_CREDENTIALS, tag: application, key: account }];
  return kind === "both" ? request(application, account) : request(application, account).slice(0, 1);
}

/** The script as it is, but for the clock of the Redis server. */
const timedScript = TAKE_SCRIPT.replace("redis.call('TIME')", "{ARGV[#ARGV], 0}")
  .replace("time[1] * 1000000", "time[1]")
  .replace("math.ceil(debt / 1000)", "60000");

async function atTime(ms: number, mode: Mode, draws: Draw[]): Promise<Take> {
  const keys = draws.map(({ bucket, tag, key }) => `${prefix}{${tag}}:${bucket.name}:${key}`);
  const rules = draws.flatMap(({ bucket }) => [bucket.interval, bucket.capacity, bucket.deepest]);
  const debts = await direct.eval(timedScript, keys.length, ...keys, mode, ...rules, ms * 1000);
  const buckets = draws.map(({ bucket }) => bucket);
  return decide(buckets, Array.isArray(debts) ? debts.map(Number) : []);
}

describe("an outage of Redis", () => {
  it("is logged once, bridged by local buckets that go on where Redis stopped, and over when Redis answers a request five seconds later", async () => {
    const link = await proxy();
    const { store, lines, time } = shared(link.url, `${prefix}outage:`);
    const application = randomUUID();
    const take = () => store.run("take", request(application, "acc"));
    await take();
    expect(await take()).toMatchObject({ remaining: 148 });

    await link.cut();
    expect(await take()).toMatchObject({ remaining: 147 });
    expect(await take()).toMatchObject({ remaining: 146 });
    expect(lines).toHaveLength(1);

    await link.mend();
    await vi.waitFor(
      async () => {
        time.ms += 5000;
        await take();
        expect(lines).toHaveLength(2);
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(lines).toEqual([
      ["warn", expect.stringContaining("isn't responding"), { error: expect.any(String) }],
      ["info", expect.stringContaining("responds again"), undefined],
    ]);
  });
});

it("while Redis is away two processes grant the limit together, and not each of them", async () => {
  const link = await proxy();
  const both = [shared(link.url, `${prefix}parts:`), shared(link.url, `${prefix}parts:`)];
  const ten = bucket("ten", { burst: 10, perSecond: 0.000_1 });
  const draw: Draw = { bucket: ten, tag: "parts", key: "parts" };
  for (let times = 0; times < 2; times += 1) {
    for (const { store, time } of both) {
      expect(await store.run("take", [draw])).toMatchObject({ allowed: true });
      time.ms += 10_000;
    }
  }
  await link.cut();
  let allowed = 0;
  for (let times = 0; times < 10; times += 1) {
    for (const { store } of both) allowed += (await store.run("take", [draw])).allowed ? 1 : 0;
  }
  // Six are left. Each process decides about one request before it knows that Redis is away.
  expect(allowed).toBeGreaterThanOrEqual(4);
  expect(allowed).toBeLessThanOrEqual(8);
});

async function proxy() {
  const sockets = new Set<Socket>();
  let server: Server;
  const target = new URL(URL_OF_REDIS);
  const open = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer((socket) => {
        const upstream = connect(Number(target.port || 6379), target.hostname);
        for (const each of [socket, upstream]) {
          sockets.add(each);
          each.on("error", () => undefined);
        }
        socket.pipe(upstream).pipe(socket);
      }).listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    });
  const port = await open(0);
  cleanups.push(() => void cut());
  return { url: `redis://127.0.0.1:${port}`, cut, mend: () => open(port) };
}
