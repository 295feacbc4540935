import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { closeEgress } from "@/server/egress/pool";
import { send } from "@/server/egress/send";
import { fakeClock } from "../../fakes/clock";
import { type Behaviour, OK, openReceiver, outsideWith, pem, type Receiver, says } from "../../fakes/hostile-receiver";

/** Far away, so that a busy machine does not turn an answer into a time-out. */
const deadlineMs = 10_000;

afterEach(() => closeEgress());

function post({ origin }: Receiver, path = "/", within = deadlineMs) {
  const request = { url: origin + path, method: "POST", headers: {}, body: "{}", deadlineMs: within };
  return send({ ...request, allowedOrigins: [origin] });
}

/** Does one thing with the first request and another with all later ones. */
function first(behave: Behaviour, then: Behaviour): Behaviour {
  let requests = 0;
  return (socket) => {
    requests += 1;
    (requests === 1 ? behave : then)(socket);
  };
}

describe("a connection whose answer was read to its end", () => {
  it("carries the origin's next request", async () => {
    const receiver = await openReceiver(says(OK));
    for (const path of ["/1", "/2", "/3"]) expect(await post(receiver, path)).toMatchObject({ status: 200 });
    expect(receiver.seen.connections).toBe(1);
  });

  it("is one of at most five that wait", async () => {
    const receiver = await openReceiver(says(OK));
    await Promise.all(Array.from({ length: 20 }, () => post(receiver)));
    expect(receiver.seen.connections).toBe(20);
    await expect.poll(() => receiver.sockets.size).toBe(5);
  });

  it("is closed after two seconds without a request", async () => {
    const receiver = await openReceiver(says(OK));
    await post(receiver);
    expect(receiver.sockets.size).toBe(1);
    await expect.poll(() => receiver.sockets.size, { timeout: 10_000 }).toBe(0);
  });

  it("is closed with the service", async () => {
    const receiver = await openReceiver(says(OK));
    await post(receiver);
    closeEgress();
    await expect.poll(() => receiver.sockets.size).toBe(0);
  });

  it("serves for five seconds after its name was asked: then the name is asked again", async () => {
    const clock = fakeClock();
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    const outside = { ca: pem("authority"), resolve: async () => answers.shift() ?? [], ...outsideWith(receiver.port) };
    const request = { url: "https://hooks.acme.io/", method: "POST", headers: {}, allowedOrigins: [], deadlineMs };
    await send(request, outside);
    clock.advance(4900);
    expect(await send(request, outside)).toMatchObject({ status: 200 });
    clock.advance(200);
    expect(await send(request, outside)).toMatchObject({ errorClass: "blocked", address: "127.0.0.1" });
    expect(receiver.seen.connections).toBe(1);
  });
});

describe("a connection that cannot be trusted with another request", () => {
  it.each([
    ["the receiver closes it", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"],
    ["the answer has no end", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"],
    ["a second answer came with the first", OK + OK],
    ["it is HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"],
  ])("%s", async (_, text) => {
    const receiver = await openReceiver(first(says(text), says(OK)));
    await post(receiver, "/", text.includes("length: 9") ? 400 : deadlineMs);
    expect(await post(receiver)).toMatchObject({ status: 200, body: Buffer.from("ok") });
    expect(receiver.seen.connections).toBe(2);
  });

  it("bytes come that nobody asked for: they are not the next answer", async () => {
    const receiver = await openReceiver(says(OK));
    await post(receiver);
    for (const socket of receiver.sockets) socket.write("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n");
    await expect.poll(() => receiver.sockets.size).toBe(0);
    expect(await post(receiver)).toMatchObject({ status: 200 });
  });
});

describe("a kept connection that the receiver ends as it is used", () => {
  it("is replaced once, and the request is answered", async () => {
    let ended = 0;
    const receiver = await openReceiver((socket) => {
      if (receiver.seen.connections > 1 || !receiver.seen.text.includes("/2")) return socket.write(OK);
      ended += 1;
      socket.resetAndDestroy();
    });
    await post(receiver, "/1");
    expect(await post(receiver, "/2")).toMatchObject({ kind: "answered", status: 200 });
    expect([ended, receiver.seen.connections]).toEqual([1, 2]);
  });

  it("is replaced once only", async () => {
    const receiver = await openReceiver(first(says(OK), (socket) => socket.resetAndDestroy()));
    await post(receiver);
    expect(await post(receiver)).toMatchObject({ kind: "failed", errorClass: "reset" });
    expect(receiver.seen.connections).toBe(2);
  });
});

describe("several addresses of one name", () => {
  it("are tried in turn, IPv4 first and at most three", async () => {
    const receiver = await openReceiver(says(OK));
    const tried: string[] = [];
    const dial = (address: string) => {
      tried.push(address);
      return connect(1, "127.0.0.1");
    };
    const addresses = ["2606:4700:4700::1111", "1.1.1.1", "8.8.8.8", "9.9.9.9", "93.184.215.14"];
    const request = { url: "https://hooks.acme.io/", method: "POST", headers: {}, allowedOrigins: [], deadlineMs };
    const outcome = await send(request, { resolve: async () => addresses, dial });
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "connect", address: "9.9.9.9" });
    expect(tried).toEqual(["1.1.1.1", "8.8.8.8", "9.9.9.9"]);
    expect(receiver.seen.connections).toBe(0);
  });
});
