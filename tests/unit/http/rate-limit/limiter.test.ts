import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Limiter, limiter } from "@/server/http/rate-limit/limiter";

const time = { ms: 0 };
let limits: Limiter;

beforeEach(() => {
  time.ms = 0;
  globalThis.almanacClock = { now: () => 0, monotonic: () => time.ms };
  limits = limiter({ log: () => undefined });
});

afterEach(() => {
  limits.close();
  globalThis.almanacClock = undefined;
});

function guess(times: number, clientId = "client", address = "203.0.113.1") {
  return Array.from({ length: times }, () => {
    const answer = limits.wrongCredentials.allowed(clientId, address);
    if (!(answer instanceof Promise) && answer.allowed) limits.wrongCredentials.charge(clientId, address);
    return answer;
  });
}

describe("one process", () => {
  it("answers without a promise", () => {
    expect(limits.take({ applicationId: "app", accountId: "acc" })).toMatchObject({ allowed: true, limit: 150 });
    expect(limits.takeApplication("app")).toMatchObject({ allowed: true, limit: 600, remaining: 598 });
  });
});

describe("wrong client credentials", () => {
  it("are looked at 60 times, then once a second", () => {
    expect(guess(60)).toEqual(Array.from({ length: 60 }, () => expect.objectContaining({ allowed: true })));
    expect(guess(1)).toEqual([expect.objectContaining({ allowed: false, retryAfter: 1 })]);
    time.ms = 1000;
    expect(guess(2)).toEqual([expect.objectContaining({ allowed: true }), expect.objectContaining({ allowed: false })]);
  });

  it("take no token when they are right", () => {
    for (let i = 0; i < 500; i += 1) limits.wrongCredentials.allowed("client", "203.0.113.1");
    expect(limits.wrongCredentials.allowed("client", "203.0.113.1")).toMatchObject({ allowed: true });
  });

  it("from one address do not lock out the same client elsewhere, nor another client there", () => {
    guess(61);
    expect(guess(1, "client", "203.0.113.2")).toEqual([expect.objectContaining({ allowed: true })]);
    expect(guess(1, "other", "203.0.113.1")).toEqual([expect.objectContaining({ allowed: true })]);
  });

  it("that are checked side by side are all charged", () => {
    for (let i = 0; i < 100; i += 1) limits.wrongCredentials.charge("client", "203.0.113.1");
    expect(limits.wrongCredentials.allowed("client", "203.0.113.1")).toMatchObject({ allowed: false, retryAfter: 41 });
  });

  it("never lock anybody out for more than ten minutes", () => {
    for (let i = 0; i < 5000; i += 1) limits.wrongCredentials.charge("client", "203.0.113.1");
    time.ms = 600_000;
    expect(limits.wrongCredentials.allowed("client", "203.0.113.1")).toMatchObject({ allowed: true });
  });
});
