import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { dialAddress } from "@/server/egress/dial";
import { closeEgress } from "@/server/egress/pool";
import { send } from "@/server/egress/send";
import { openReceiver, says } from "../../fakes/hostile-receiver";

const KEPT = 20 * 1024;
const READ = 64 * 1024;
/** What one read takes at most. */
const BUFFER = 16 * 1024;
const HEADERS = 1024;

afterEach(() => closeEgress());

function get(origin: string, more: object = {}) {
  return { url: `${origin}/`, method: "GET", headers: {}, deadlineMs: 20_000, allowedOrigins: [origin], ...more };
}

/** The socket of the one request that is sent with what this gives. */
function watched() {
  const sockets: Socket[] = [];
  const dial = (address: string, port: number) => {
    const socket = dialAddress(address, port);
    sockets.push(socket);
    return socket;
  };
  return { dial, bytesRead: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0) };
}

describe("what is read of an answer", () => {
  it("that promises more than will be read ends with what is kept", async () => {
    const receiver = await openReceiver(
      says(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${"x".repeat(1_000_000)}`),
    );
    const { dial, bytesRead } = watched();
    const outcome = await send(get(receiver.origin), { dial });
    expect(outcome).toMatchObject({ kind: "answered", status: 200, body: Buffer.alloc(KEPT, "x") });
    expect(bytesRead()).toBeLessThanOrEqual(KEPT + BUFFER + HEADERS);
  });

  it("that promises nothing ends a read after the limit", async () => {
    const receiver = await openReceiver(says(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(1_000_000)}`));
    const { dial, bytesRead } = watched();
    const outcome = await send(get(receiver.origin), { dial });
    expect(outcome).toMatchObject({ kind: "answered", status: 200, body: Buffer.alloc(KEPT, "x") });
    expect(bytesRead()).toBeGreaterThanOrEqual(READ);
    expect(bytesRead()).toBeLessThanOrEqual(READ + BUFFER + HEADERS);
  });
});

it("connections that read into the same buffer keep what each of them read", async () => {
  const texts = ["the first one's", "another one's", "a third one's"];
  const pairs = await Promise.all(
    texts.map(async (text) => {
      const server = createServer((socket) => void socket.end(text)).listen(0, "127.0.0.1");
      await once(server, "listening");
      return { text, server, socket: dialAddress("127.0.0.1", (server.address() as AddressInfo).port) };
    }),
  );
  for (const { text, socket } of pairs) await expect.poll(() => socket.readableLength).toBe(text.length);
  expect(pairs.map(({ socket }) => socket.read()?.toString())).toEqual(texts);
  for (const { server, socket } of pairs) {
    socket.destroy();
    server.close();
  }
});
