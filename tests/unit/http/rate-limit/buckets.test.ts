import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACCOUNT, APPLICATION, decide, type Take } from "@/server/http/rate-limit/buckets";
import { type MemoryStore, memoryStore } from "@/server/http/rate-limit/memory";
import type { Draw } from "@/server/http/rate-limit/store";

function world() {
  const time = { ms: 0 };
  const store = memoryStore(() => time.ms);
  return { time, store };
}

function request(account = "acc_1", application = "app_1"): Draw[] {
  return [
    { bucket: APPLICATION, tag: application, key: application },
    { bucket: ACCOUNT, tag: application, key: account },
  ];
}

function takeMany(store: MemoryStore, times: number, account?: string): Take[] {
  return Array.from({ length: times }, () => store.run("take", request(account)));
}

const allowedOf = (takes: Take[]) => takes.filter((take) => take.allowed).length;

describe("rate limit per access token: burst 150 requests, sustained 25 a second", () => {
  it("admits exactly 150 at once", () => {
    const { store } = world();
    expect(allowedOf(takeMany(store, 400))).toBe(150);
  });

  it("then admits exactly 250 in ten seconds, however often it is asked", () => {
    const { store, time } = world();
    takeMany(store, 150);
    let admitted = 0;
    for (time.ms = 0; time.ms <= 10_000; time.ms += 7) admitted += allowedOf(takeMany(store, 3));
    time.ms = 10_000;
    expect(admitted + allowedOf(takeMany(store, 3))).toBe(250);
  });

  it("gives a token back after 40 milliseconds and not before", () => {
    const { store, time } = world();
    takeMany(store, 150);
    time.ms = 39.999;
    expect(allowedOf(takeMany(store, 1))).toBe(0);
    time.ms = 40;
    expect(takeMany(store, 2).map((take) => take.allowed)).toEqual([true, false]);
  });
});

describe("rate limit per application: burst 600 requests, sustained 100 a second", () => {
  it("admits exactly 600 at once over all accounts, then exactly 1,000 in ten seconds", () => {
    const { store, time } = world();
    const round = () => Array.from({ length: 100 }, (_, i) => takeMany(store, 10, `acc_${i}`)).flat();
    expect(allowedOf(round())).toBe(600);
    let admitted = 0;
    for (time.ms = 100; time.ms <= 10_000; time.ms += 100) admitted += allowedOf(round());
    expect(admitted).toBe(1000);
  });

  it("does not touch another application", () => {
    const { store } = world();
    takeMany(store, 700);
    expect(store.run("take", request("acc_2", "app_2")).allowed).toBe(true);
  });
});

describe("a refused request", () => {
  it("takes from neither bucket", () => {
    const { store } = world();
    takeMany(store, 150);
    takeMany(store, 5000);
    const fresh = store.run("take", [{ bucket: APPLICATION, tag: "app_1", key: "app_1" }]);
    expect(fresh).toMatchObject({ allowed: true, limit: 600, remaining: 600 - 151 });
  });

  it("is told when both buckets have a token again, at least one second", () => {
    expect(decide([APPLICATION, ACCOUNT], [6_000_000, 6_000_000]).retryAfter).toBe(1);
    const slow = { ...ACCOUNT, burst: 1, interval: 3_200_000, capacity: 3_200_000, deepest: 3_200_000 };
    expect(decide([APPLICATION, slow], [6_000_000, 3_200_000])).toMatchObject({ allowed: false, retryAfter: 4 });
  });
});

describe("RateLimit headers", () => {
  it("show the burst of the tighter bucket, its whole tokens and the seconds until it is full", () => {
    const { store, time } = world();
    expect(store.run("take", request())).toEqual({
      allowed: true,
      limit: 150,
      remaining: 149,
      reset: 1,
      retryAfter: 0,
    });
    takeMany(store, 149);
    expect(store.run("take", request())).toEqual({
      allowed: false,
      limit: 150,
      remaining: 0,
      reset: 6,
      retryAfter: 1,
    });
    time.ms = 6000;
    expect(store.run("peek", request())).toMatchObject({ remaining: 149 });
  });

  it("show the application once it has fewer tokens left than the account", () => {
    const { store } = world();
    for (const account of ["a", "b", "c", "d"]) takeMany(store, 140, account);
    expect(store.run("take", request("e"))).toMatchObject({ limit: 600, remaining: 39 });
  });
});

describe("any sequence of requests", () => {
  it("is admitted as by buckets that are refilled token by token", () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 400 }), burst: fc.integer({ min: 1, max: 200 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { store, time } = world();
        let tokens = 150;
        for (const { wait, burst } of steps) {
          time.ms += wait;
          tokens = Math.min(150, tokens + wait / 40);
          for (const take of takeMany(store, burst)) {
            const expected = tokens + 1e-9 >= 1;
            expect(take.allowed).toBe(expected);
            if (expected) tokens -= 1;
            expect(take.remaining).toBe(Math.max(0, Math.floor(tokens + 1e-9)));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("memory", () => {
  it("lets go of buckets that are full again as new ones come", () => {
    const { store, time } = world();
    for (let i = 0; i < 20_000; i += 1) {
      time.ms += 1;
      store.run("take", request(`acc_${i}`));
    }
    expect(store.held()).toBeLessThan(200);
  });

  it("holds no more keys than its cap, whatever strangers send", () => {
    const store = memoryStore(() => 0, 500);
    for (let i = 0; i < 5000; i += 1) store.run("take", request(`acc_${i % 2500}`, `app_${i}`));
    expect(store.held()).toBeLessThanOrEqual(1000);
  });
});
