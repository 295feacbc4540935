import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import { type FrontDoor, frontDoor } from "@/server/front-door/server";
import { UNREAD_LIMITS, type UnreadLimits } from "@/server/front-door/unread";

/** More than the buffers of the two sockets between a client and a server hold. */
const LARGE = 40_000_000;
const large = () => Promise.resolve(new Response("x".repeat(LARGE)));
const routes = { "/v1/large": { GET: large, POST: large } };
const sockets: Socket[] = [];
let front: FrontDoor | undefined;

beforeAll(() => void provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent" }));
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await front?.close(0);
});

async function open(unread: Partial<UnreadLimits>): Promise<number> {
  // What a page does that Next renders.
  const fallback = (_req: IncomingMessage, res: ServerResponse) => void res.end("x".repeat(LARGE));
  front = frontDoor({ routes, fallback, unread: { ...UNREAD_LIMITS, ...unread } });
  front.server.listen(0, "127.0.0.1");
  await once(front.server, "listening");
  return (front.server.address() as AddressInfo).port;
}

/** A client that asks for the large response and takes nothing of it. */
async function askAndWait(port: number, { from = "127.0.0.1", path = "/v1/large" } = {}): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  sockets.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve) => front?.server.getConnections((_error, count) => resolve(count)));

describe("a client that does not read its response", () => {
  it("is cut off when it has taken nothing for the time allowed", async () => {
    const port = await open({ silentMs: 300, bytesPerClient: Number.POSITIVE_INFINITY });
    await askAndWait(port);
    await expect.poll(connections).toBe(0);
  });

  it("keeps its connection while it reads, however slowly", async () => {
    const port = await open({ silentMs: 1_000, bytesPerClient: Number.POSITIVE_INFINITY });
    const socket = await askAndWait(port);
    let taken = 0;
    const isClosed = once(socket, "close").then(() => "closed");
    const reading = (async () => {
      for await (const piece of socket) {
        taken += piece.length;
        if (taken >= LARGE) return "all of it";
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return "an early end";
    })();
    expect(await Promise.race([reading, isClosed])).toBe("all of it");
  });

  it("gets 503 with Retry-After once too much waits for it, and nobody else does", async () => {
    const port = await open({ bytesPerClient: 2.5 * LARGE });
    for (let i = 0; i < 2; i++) await askAndWait(port);
    const ask = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/large`);
      return [response.status, response.headers.get("retry-after"), (await response.text()).length];
    };
    await expect.poll(ask).toEqual([503, "2", 0]);
    const other = await askAndWait(port, { from: "127.0.0.2" });
    other.resume();
    const [head] = await once(other, "data");
    expect(String(head)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("loses its oldest pages when more waits for it than one client may leave", async () => {
    const port = await open({ bytesPerClient: 2.5 * LARGE, graceMs: 60 });
    for (let i = 0; i < 6; i++) await askAndWait(port, { path: "/page" });
    await expect.poll(connections).toBe(2);
  });

  it("does not keep a connection that idles between two requests for longer than others", async () => {
    const port = await open({ silentMs: 300 });
    const socket = connect({ port, host: "127.0.0.1" });
    sockets.push(socket);
    await once(socket, "connect");
    await expect.poll(connections).toBe(0);
  });
});

describe("a response that is long in the making", () => {
  it("is not taken for one that nobody reads", async () => {
    let answer = (_: Response) => {};
    const slow = () => new Promise<Response>((resolve) => (answer = resolve));
    front = frontDoor({
      routes: { "/v1/slow": { GET: slow, POST: slow } },
      unread: { ...UNREAD_LIMITS, silentMs: 50 },
    });
    front.server.listen(0, "127.0.0.1");
    await once(front.server, "listening");
    const asked = fetch(`http://127.0.0.1:${(front.server.address() as AddressInfo).port}/v1/slow`);
    const [socket] = await once(front.server, "request").then(([req]) => [req.socket as Socket]);
    await once(socket as Socket, "timeout");
    answer(new Response("done"));
    expect(await (await asked).text()).toBe("done");
  });
});
