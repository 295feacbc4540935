import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { type Limiter, limiter } from "@/server/http/rate-limit/limiter";

const time = { ms: 0 };
let limits: Limiter;

beforeEach(() => {
  time.ms = 0;
  context.clock = { now: () => 0, monotonic: () => time.ms };
  limits = limiter({ log: () => undefined });
});

afterEach(() => {
  limits.close();
  context.clock = undefined;
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

  it("from the addresses of one IPv6 subscriber count together", () => {
    for (let i = 0; i < 60; i += 1) guess(1, "client", `2001:db8:1:2::${i.toString(16)}`);
    expect(guess(1, "client", "2001:db8:1:2:ffff::1")).toEqual([expect.objectContaining({ allowed: false })]);
    expect(guess(1, "client", "2001:db8:1:3::1")).toEqual([expect.objectContaining({ allowed: true })]);
  });

  it("from many addresses are looked at 300 times, then five times a second", () => {
    for (let i = 0; i < 300; i += 1) guess(1, "client", `2001:db8:${i.toString(16)}::1`);
    expect(guess(1, "client", "2001:db8:ffff::1")).toEqual([
      expect.objectContaining({ allowed: false, retryAfter: 1 }),
    ]);
    expect(guess(1, "other", "2001:db8:ffff::1")).toEqual([expect.objectContaining({ allowed: true })]);
    time.ms = 1000;
    for (let i = 0; i < 5; i += 1) {
      expect(guess(1, "client", `2001:db8:f${i}::1`)).toEqual([expect.objectContaining({ allowed: true })]);
    }
    expect(guess(1, "client", "2001:db8:ffff::1")).toEqual([expect.objectContaining({ allowed: false })]);
  });

  it("from everywhere do not lock a client out where it has shown its secret before", () => {
    limits.wrongCredentials.know("client", "198.51.100.7");
    for (let i = 0; i < 600; i += 1)
      limits.wrongCredentials.charge("client", `203.0.${Math.floor(i / 200)}.${i % 200}`);
    expect(guess(1, "client", "198.51.100.8")).toEqual([expect.objectContaining({ allowed: false })]);
    expect(guess(1, "client", "198.51.100.7")).toEqual([expect.objectContaining({ allowed: true })]);
    expect(guess(60, "client", "198.51.100.7").at(-1)).toMatchObject({ allowed: false });
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

describe("sign-in of staff", () => {
  it("counts the addresses of one IPv6 subscriber together", async () => {
    for (let i = 0; i < 30; i += 1) await limits.staffSignIn(`nobody-${i}@acme.io`, `2001:db8::${i.toString(16)}`);
    expect(await limits.staffSignIn("nobody@acme.io", "2001:db8::ffff")).toMatchObject({ allowed: false });
    expect(await limits.staffSignIn("nobody@acme.io", "2001:db8:0:1::1")).toMatchObject({ allowed: true });
  });

  it("is open to an operator where the password was right before, whatever strangers try", async () => {
    limits.knowStaff("anna@acme.io", "198.51.100.7");
    for (let i = 0; i < 20; i += 1) await limits.staffSignIn("anna@acme.io", `203.0.113.${i}`);
    expect(await limits.staffSignIn("anna@acme.io", "203.0.113.99")).toMatchObject({ allowed: false });
    expect(await limits.staffSignIn("anna@acme.io", "198.51.100.7")).toMatchObject({ allowed: true });
  });
});
