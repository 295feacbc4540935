import { afterEach, describe, expect, it } from "vitest";
import { closeEgress } from "@/server/egress/pool";
import { send } from "@/server/egress/send";
import { OK, openReceiver, outsideWith, pem, type Receiver, says } from "../../fakes/hostile-receiver";

const PUBLIC = "93.184.215.14";

afterEach(() => closeEgress());

function post(receiver: Receiver, { host = "hooks.acme.io", known = true, deadlineMs = 10_000 } = {}) {
  const request = { url: `https://${host}/cb`, method: "POST", headers: {}, body: "{}", deadlineMs };
  const outside = { resolve: async () => [PUBLIC], ...outsideWith(receiver.port) };
  return send({ ...request, allowedOrigins: [] }, known ? { ...outside, ca: pem("authority") } : outside);
}

describe("the certificate of a receiver", () => {
  it.each(["hooks.acme.io", "HOOKS.acme.io", "hooks.acme.io.", PUBLIC])("that names %s is good", async (host) => {
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    expect(await post(receiver, { host })).toMatchObject({ kind: "answered", status: 200, address: PUBLIC });
  });

  it.each(["expired", "self-signed", "wrong-host"])(
    "that is %s: tls, and not a byte of the request is sent",
    async (tls) => {
      const receiver = await openReceiver(says(OK), { tls });
      expect(await post(receiver)).toMatchObject({ kind: "failed", errorClass: "tls", address: PUBLIC });
      expect(receiver.seen).toMatchObject({ connections: 1, bytes: 0 });
    },
  );

  it("of an authority that the machine does not know: tls", async () => {
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    expect(await post(receiver, { known: false })).toMatchObject({ errorClass: "tls" });
    expect(await post(receiver)).toMatchObject({ kind: "answered" });
  });

  it("for a name is not good for another address", async () => {
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    expect(await post(receiver, { host: "1.1.1.1" })).toMatchObject({ errorClass: "tls", address: "1.1.1.1" });
  });
});

describe("the name that TLS asks for", () => {
  it.each<[string, string | false]>([
    ["hooks.acme.io", "hooks.acme.io"],
    ["hooks.acme.io.", "hooks.acme.io"],
    [PUBLIC, false],
  ])("of %s is %s", async (host, name) => {
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    await post(receiver, { host });
    expect(receiver.seen.serverName).toBe(name);
  });
});

describe("a receiver without TLS on its port", () => {
  it("speaks plain HTTP: tls", async () => {
    const receiver = await openReceiver(() => undefined);
    const sent = post(receiver);
    await expect.poll(() => receiver.sockets.size).toBe(1);
    for (const socket of receiver.sockets) socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    expect(await sent).toMatchObject({ kind: "failed", errorClass: "tls" });
  });

  it.each<[string, "end" | "resetAndDestroy"]>([
    ["closes", "end"],
    ["resets", "resetAndDestroy"],
  ])("%s: tls", async (_, how) => {
    const receiver = await openReceiver(() => undefined);
    const sent = post(receiver);
    await expect.poll(() => receiver.sockets.size).toBe(1);
    for (const socket of receiver.sockets) socket[how]();
    expect(await sent).toMatchObject({ kind: "failed", errorClass: "tls" });
  });

  it("is silent: the handshake ends at the deadline", async () => {
    const receiver = await openReceiver(() => undefined);
    const outcome = await post(receiver, { deadlineMs: 500 });
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "timeout", address: PUBLIC });
    expect(outcome.durationMs).toBeLessThan(10_000);
    await expect.poll(() => receiver.sockets.size).toBe(0);
  });
});
