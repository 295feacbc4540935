import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { limiter } from "@/server/http/rate-limit/limiter";

const MOST_MILLISECONDS = 60;
const PASSWORD = "canary-password";
const cleanups: (() => void)[] = [];

afterEach(() => {
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

describe.each([
  ["a closed port", closedPort],
  ["a server that accepts and never answers", silentPort],
])("with Redis behind %s", (_, port) => {
  it("the first request is answered from local buckets within 60 ms", async () => {
    const { limits } = limiterAt(await port());
    const start = performance.now();
    const take = await limits.take({ applicationId: "app", accountId: "acc" });
    expect(performance.now() - start).toBeLessThan(MOST_MILLISECONDS);
    expect(take).toMatchObject({ allowed: true, limit: 150, remaining: 149 });
  });

  it("a hundred at once are answered within 60 ms, limited and not refused", async () => {
    const { limits } = limiterAt(await port());
    const start = performance.now();
    const takes = await Promise.all(
      Array.from({ length: 200 }, () => limits.take({ applicationId: "app", accountId: "acc" })),
    );
    expect(performance.now() - start).toBeLessThan(MOST_MILLISECONDS + 20);
    expect(takes.filter((take) => take.allowed)).toHaveLength(150);
  });

  it("the outage is logged once, without the password", async () => {
    const { limits, lines } = limiterAt(await port());
    for (let i = 0; i < 20; i += 1) await limits.take({ applicationId: "app", accountId: "acc" });
    await limits.wrongCredentials.allowed("client", "203.0.113.1");
    expect(lines).toEqual([["warn", expect.stringContaining("Redis"), { error: expect.any(String) }]]);
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });

  it("requests after the first do not wait for it", async () => {
    const { limits } = limiterAt(await port());
    await limits.take({ applicationId: "app", accountId: "acc" });
    const start = performance.now();
    for (let i = 0; i < 100; i += 1) await limits.take({ applicationId: "app", accountId: "acc" });
    expect(performance.now() - start).toBeLessThan(MOST_MILLISECONDS);
  });
});
