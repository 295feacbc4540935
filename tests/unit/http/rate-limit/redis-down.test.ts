import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Limiter, limiter } from "@/server/http/rate-limit/limiter";
import { fakeClock } from "@/tests/fakes/clock";

/** What a request waits for Redis at most. Time stands still here until a test lets it go on: nothing else can end the wait. */
const WAIT_MS = 50;
/** ioredis waits for its next try by a timer of its own. */
const RECONNECTS = 1;
const PASSWORD = "canary-password";
const cleanups: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  fakeClock(); // a token comes back every 40 ms: none may while requests are counted
});

afterEach(() => {
  vi.useRealTimers();
  for (const clean of cleanups.splice(0)) clean();
});

async function listening(onConnection: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function closedPort(): Promise<number> {
  const { server, port } = await listening(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function silentPort(): Promise<number> {
  const { port } = await listening((socket) => {
    socket.on("error", () => undefined);
    cleanups.push(() => socket.destroy());
  });
  return port;
}

function limiterAt(port: number) {
  const lines: unknown[][] = [];
  const limits = limiter({
    redisUrl: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    log: (...line) => lines.push(line),
  });
  cleanups.push(() => limits.close());
  return { limits, lines };
}

async function first(limits: Limiter): Promise<void> {
  const take = limits.take({ applicationId: "app", accountId: "acc" });
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  await take;
}

describe.each([
  ["a closed port", closedPort],
  ["a server that accepts and never answers", silentPort],
])("with Redis behind %s", (_, port) => {
  it("the first request is answered from local buckets after 50 ms at most", async () => {
    const { limits } = limiterAt(await port());
    const take = limits.take({ applicationId: "app", accountId: "acc" });
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await take).toMatchObject({ allowed: true, limit: 150, remaining: 149 });
  });

  it("two hundred at once are answered after 50 ms at most, limited and not refused", async () => {
    const { limits } = limiterAt(await port());
    const asked = Array.from({ length: 200 }, () => limits.take({ applicationId: "app", accountId: "acc" }));
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    const takes = await Promise.all(asked);
    expect(takes.filter((take) => take.allowed)).toHaveLength(150);
  });

  it("the outage is logged once, without the password", async () => {
    const { limits, lines } = limiterAt(await port());
    await first(limits);
    for (let i = 1; i < 20; i += 1) await limits.take({ applicationId: "app", accountId: "acc" });
    await limits.wrongCredentials.allowed("client", "203.0.113.1");
    expect(lines).toEqual([["warn", expect.stringContaining("Redis"), { error: expect.any(String) }]]);
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });

  it("requests after the first do not wait for it", async () => {
    const { limits } = limiterAt(await port());
    await first(limits);
    for (let i = 1; i < 100; i += 1) {
      expect(await limits.take({ applicationId: "app", accountId: "acc" })).toMatchObject({ remaining: 149 - i });
    }
    expect(vi.getTimerCount()).toBeLessThanOrEqual(RECONNECTS);
  });
});
