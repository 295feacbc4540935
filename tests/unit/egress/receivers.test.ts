import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { closeEgress } from "@/server/egress/pool";
import { type EgressRequest, send } from "@/server/egress/send";
import { type Behaviour, OK, openReceiver, type Receiver, says } from "../../fakes/hostile-receiver";

/** For receivers that answer or break: far away, so that a busy machine does not turn an answer into a time-out. */
const DEADLINE = 20_000;
/** For receivers that make an attempt end at its deadline, and how much later a busy machine may notice. */
const SOON = 400;
const LATE = 5_000;

afterEach(() => closeEgress());

async function postTo(behave: Behaviour, more: Partial<EgressRequest> = {}) {
  const receiver = await openReceiver(behave);
  return { receiver, outcome: await send(to(receiver, more)) };
}

function to({ origin }: Receiver, more: Partial<EgressRequest> = {}): EgressRequest {
  const headers = { "content-type": "application/json" };
  const base = { url: `${origin}/cb?a=b`, method: "POST", headers, body: '{"a":"é"}', deadlineMs: DEADLINE };
  return { ...base, allowedOrigins: [origin], ...more };
}

/** Writes a piece every few milliseconds while the connection is open. */
function dripping(first: string, piece: string): Behaviour {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.once("close", () => clearInterval(timer));
  };
}

describe("a receiver that answers", () => {
  it("gets the bytes of the request and is asked for no compression", async () => {
    const { receiver, outcome } = await postTo(says(OK));
    expect(outcome).toMatchObject({ kind: "answered", status: 200, address: "127.0.0.1", body: Buffer.from("ok") });
    expect(receiver.seen.text).toMatch(/^POST \/cb\?a=b HTTP\/1.1\r\n/);
    expect(receiver.seen.text).toMatch(new RegExp(`\r\nhost: 127.0.0.1:${receiver.port}\r\n`, "i"));
    expect(receiver.seen.text).toMatch(/\r\naccept-encoding: identity\r\n/i);
    expect(receiver.seen.text).toMatch(/\r\ncontent-length: 10\r\n/i);
    expect(Buffer.from(receiver.seen.text, "latin1").toString()).toMatch(/\r\n\r\n\{"a":"é"\}$/);
  });

  it.each([200, 204, 299, 400, 404, 410, 429, 500, 503])("%i is told as it came", async (status) => {
    const { outcome } = await postTo(says(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\nx-a: 1\r\n\r\n`));
    expect(outcome).toMatchObject({ kind: "answered", status, headers: { "x-a": "1" } });
  });

  it.each([
    ["100", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["103", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
    ["100, 102 and 103", "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\n\r\n"],
  ])("after %s is told by its last answer", async (_, interim) => {
    const { outcome } = await postTo(says(interim + OK));
    expect(outcome).toMatchObject({ kind: "answered", status: 200, body: Buffer.from("ok") });
  });

  it("a 204 with a body and a 200 with more than it promised are answers", async () => {
    const more = await postTo(says(`HTTP/1.1 204 No Content\r\n\r\nhello`));
    expect(more.outcome).toMatchObject({ kind: "answered", status: 204 });
    const twice = await postTo(says(OK + OK));
    expect(twice.outcome).toMatchObject({ kind: "answered", status: 200, body: Buffer.from("ok") });
  });

  it("to HEAD has no body", async () => {
    const { outcome } = await postTo(says("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"), {
      method: "HEAD",
      body: undefined,
    });
    expect(outcome).toMatchObject({ kind: "answered", status: 200, body: Buffer.alloc(0) });
    expect(outcome.durationMs).toBeLessThan(DEADLINE / 2);
  });

  it("a gzip bomb is kept as it came", async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024));
    const { outcome } = await postTo((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect(outcome.kind === "answered" && outcome.body.equals(bomb.subarray(0, 20 * 1024))).toBe(true);
  });
});

describe("a receiver whose body does not end well", () => {
  it("drips: it has answered, and the body is what came until the deadline", async () => {
    const dripped = dripping("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n", "x");
    const { outcome } = await postTo(dripped, { deadlineMs: SOON });
    expect(outcome).toMatchObject({ kind: "answered", status: 200 });
    expect(outcome.kind === "answered" && outcome.body.toString()).toMatch(/^x{5,}$/);
    expect(outcome.durationMs).toBeLessThan(SOON + LATE);
  });

  it("is endless: at most 64 KiB and one read more are taken, and 20 KiB are kept", async () => {
    const piece = Buffer.alloc(64 * 1024, "x");
    let written = 0;
    let closed: () => void;
    const over = new Promise<void>((done) => {
      closed = done;
    });
    const { outcome } = await postTo((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n");
      const more = () => {
        while (!socket.destroyed && socket.write(piece)) written += piece.length;
      };
      socket.on("drain", more);
      socket.once("close", () => closed());
      more();
    });
    await over;
    expect(outcome).toMatchObject({ kind: "answered", status: 200, body: Buffer.alloc(20 * 1024, "x") });
    expect(outcome.durationMs).toBeLessThan(DEADLINE / 2);
    // What the kernels of both sides hold comes on top.
    expect(written).toBeLessThan(20 * 1024 * 1024);
  });

  it("is long and its caller wants all of it: the caller's limits hold", async () => {
    const { outcome } = await postTo(says(`HTTP/1.1 200 OK\r\ncontent-length: 300000\r\n\r\n${"x".repeat(300_000)}`), {
      readBytes: 1_000_000,
      keepBytes: 1_000_000,
    });
    expect(outcome.kind === "answered" && outcome.body.equals(Buffer.alloc(300_000, "x"))).toBe(true);
  });

  it.each<[string, Behaviour]>([
    [
      "is reset",
      (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx", () => socket.resetAndDestroy()),
    ],
    ["is cut short", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx")],
    ["has no length", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nx")],
    [
      "has a broken chunk",
      (socket) => socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\n"),
    ],
  ])("%s: it has answered", async (_, behave) => {
    const { outcome } = await postTo(behave);
    expect(outcome).toMatchObject({ kind: "answered", status: 200 });
    expect(outcome.durationMs).toBeLessThan(DEADLINE / 2);
  });
});

describe("a receiver that gives no answer in time", () => {
  it.each<[string, Behaviour]>([
    ["is silent", () => undefined],
    ["drips its headers", dripping("HTTP/1.1 200 OK\r\n", "a: b\r\n")],
    ["drips its status line", dripping("H", "")],
    ["sends interim answers only", says("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n")],
  ])("%s: the attempt ends at its deadline", async (_, behave) => {
    const { outcome, receiver } = await postTo(behave, { deadlineMs: SOON });
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "timeout", address: "127.0.0.1" });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(SOON - 5);
    expect(outcome.durationMs).toBeLessThan(SOON + LATE);
    await expect.poll(() => receiver.sockets.size).toBe(0);
  });

  it("does not read the request: the attempt ends at its deadline", async () => {
    const receiver = await openReceiver(() => undefined);
    const sent = send(to(receiver, { body: "x".repeat(20_000_000), deadlineMs: SOON }));
    await expect.poll(() => receiver.sockets.size).toBe(1);
    for (const socket of receiver.sockets) socket.pause();
    expect(await sent).toMatchObject({ errorClass: "timeout" });
  });
});

describe("a receiver that ends the connection", () => {
  it.each<[string, Behaviour]>([
    ["with a reset", (socket) => socket.resetAndDestroy()],
    ["without an answer", (socket) => socket.end()],
    ["inside the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\na: b\r\n")],
    ["after an interim answer", (socket) => socket.end("HTTP/1.1 100 Continue\r\n\r\n")],
  ])("%s: reset, after one connection", async (_, behave) => {
    const { outcome, receiver } = await postTo(behave);
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "reset", address: "127.0.0.1" });
    expect(receiver.seen.connections).toBe(1);
  });

  it("before the request: reset", async () => {
    const receiver = await openReceiver(says(OK));
    const sent = send(to(receiver, { body: "x".repeat(20_000_000) }));
    await expect.poll(() => receiver.sockets.size).toBe(1);
    for (const socket of receiver.sockets) socket.resetAndDestroy();
    expect(await sent).toMatchObject({ kind: "failed", errorClass: "reset" });
  });

  it("by not listening: connect", async () => {
    const receiver = await openReceiver(says(OK));
    const origin = "http://127.0.0.1:1";
    const outcome = await send(to(receiver, { url: `${origin}/`, allowedOrigins: [origin] }));
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "connect", address: "127.0.0.1" });
  });
});

describe("a receiver that does not speak HTTP", () => {
  it.each([
    ["a malformed status line", "HTTP/1.1 abc\r\n\r\n"],
    ["a greeting of another protocol", "220 mail.acme.io ESMTP\r\n"],
    ["a status below 100", "HTTP/1.1 042 X\r\ncontent-length: 0\r\n\r\n"],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"],
    ["a header over 16 KiB", `HTTP/1.1 200 OK\r\na: ${"x".repeat(17 * 1024)}\r\n\r\n`],
    ["headers over 16 KiB together", `HTTP/1.1 200 OK\r\n${`a: ${"x".repeat(100)}\r\n`.repeat(170)}\r\n`],
    ["a huge number of headers", `HTTP/1.1 200 OK\r\n${"a:b\r\n".repeat(2000)}\r\n`],
    ["a header without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx"],
    ["endless interim answers", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1000)],
  ])("%s: http, at once", async (_, text) => {
    const { outcome, receiver } = await postTo(says(text));
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "http", address: "127.0.0.1" });
    expect(outcome.durationMs).toBeLessThan(DEADLINE / 2);
    await expect.poll(() => receiver.sockets.size).toBe(0);
  });
});

describe("200 silent receivers at once", () => {
  it("all end by the deadline and cost little memory, and others are served in the meantime", async () => {
    const silent = await openReceiver(() => undefined);
    const healthy = await openReceiver(says(OK));
    await send(to(silent, { deadlineMs: 50 }));
    const before = process.memoryUsage().rss;
    const all = Promise.all(Array.from({ length: 200 }, () => send(to(silent, { deadlineMs: 3_000 }))));
    await expect.poll(() => silent.sockets.size).toBe(200);
    const other = await send(to(healthy));
    const grown = process.memoryUsage().rss - before;
    const outcomes = await all;
    expect(other).toMatchObject({ kind: "answered", status: 200 });
    expect(new Set(outcomes.map((one) => one.kind === "failed" && one.errorClass))).toEqual(new Set(["timeout"]));
    expect(Math.max(...outcomes.map((one) => one.durationMs))).toBeLessThan(3_000 + LATE);
    // This process also holds the receivers' side of all connections.
    expect(grown).toBeLessThan(100 * 1024 * 1024);
  });
});
