import { afterEach, describe, expect, it } from "vitest";
import { resolveName } from "@/server/egress/addresses";
import { closeEgress } from "@/server/egress/pool";
import { send } from "@/server/egress/send";
import { OK, openReceiver, outsideWith, pem, says } from "../../fakes/hostile-receiver";
import { openNameServer, type Zone } from "../../fakes/name-server";

afterEach(() => closeEgress());

const zone: Zone = {
  "hooks.acme.io": ["93.184.215.14", "2606:4700:4700::1111"],
  "six.acme.io": ["2606:4700:4700::1111"],
  "empty.acme.io": [],
  "broken.acme.io": 2,
  "refused.acme.io": 5,
  "silent.acme.io": "silent",
  "inside.acme.io": ["127.0.0.1"],
  "mixed.acme.io": ["93.184.215.14", "::1"],
  "mapped.acme.io": ["::ffff:7f00:1"],
};

async function post(host: string, deadlineMs = 10_000) {
  const { server, asked } = await openNameServer(zone);
  const receiver = await openReceiver(says(OK), { tls: "valid" });
  const outside = {
    ca: pem("authority"),
    resolve: (name: string, signal: AbortSignal) => resolveName(name, signal, [server]),
    ...outsideWith(receiver.port),
  };
  const request = {
    url: `https://${host}/cb`,
    method: "POST",
    headers: {},
    body: "{}",
    allowedOrigins: [],
    deadlineMs,
  };
  return { outcome: await send(request, outside), dialled: outside.dialled, asked, server };
}

describe("the name of a receiver", () => {
  it("is asked for both kinds of addresses, and IPv4 is tried first", async () => {
    const { outcome, dialled, asked } = await post("hooks.acme.io");
    expect(outcome).toMatchObject({ kind: "answered", status: 200, address: "93.184.215.14" });
    expect(dialled).toEqual(["93.184.215.14 443"]);
    expect(asked).toEqual(["hooks.acme.io", "hooks.acme.io"]);
  });

  it("may have IPv6 only", async () => {
    expect((await post("six.acme.io")).dialled).toEqual(["2606:4700:4700::1111 443"]);
  });

  it.each(["inside.acme.io", "mixed.acme.io", "mapped.acme.io"])("%s is blocked", async (host) => {
    const { outcome, dialled } = await post(host);
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "blocked" });
    expect(dialled).toEqual([]);
  });

  it.each(["nowhere.acme.io", "empty.acme.io", "broken.acme.io", "refused.acme.io"])(
    "%s: dns, long before the deadline",
    async (host) => {
      const { outcome } = await post(host);
      expect(outcome).toMatchObject({ kind: "failed", errorClass: "dns", address: null });
      expect(outcome.durationMs).toBeLessThan(5_000);
    },
  );

  it("whose server is silent: dns, at the deadline when that is near", async () => {
    const { outcome } = await post("silent.acme.io", 300);
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "dns", address: null });
    expect(outcome.durationMs).toBeLessThan(1_500);
  });

  it("whose server is silent is given up after 1.5 seconds", async () => {
    const { outcome } = await post("silent.acme.io", 20_000);
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "dns", address: null });
    expect(outcome.durationMs).toBeLessThan(10_000);
  });

  it("that a resolver fails on or never answers: dns", async () => {
    const request = { url: "https://hooks.acme.io/", method: "POST", headers: {}, allowedOrigins: [], deadlineMs: 100 };
    const failing = await send(request, { resolve: () => Promise.reject(new Error("no")) });
    const hanging = await send(request, { resolve: () => new Promise(() => undefined) });
    expect([failing, hanging]).toMatchObject([{ errorClass: "dns" }, { errorClass: "dns" }]);
  });

  it("of an allowed origin that does not resolve: dns", async () => {
    const origin = "http://receiver.invalid:8080";
    const request = { url: `${origin}/`, method: "POST", headers: {}, allowedOrigins: [origin], deadlineMs: 500 };
    expect(await send(request)).toMatchObject({ kind: "failed", errorClass: "dns", address: null });
  });
});
