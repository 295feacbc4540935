import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { closeEgress } from "@/server/egress/pool";
import { type EgressRequest, send } from "@/server/egress/send";
import { OK, openReceiver, outsideWith, pem, type Receiver, says } from "../../fakes/hostile-receiver";

const PUBLIC = "93.184.215.14";
const ca = pem("authority");

const post = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  url,
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
  deadlineMs: 600,
  allowedOrigins: [],
  ...more,
});

/** Every address leads to the receiver's port, so that whatever is connected to is seen; its remote address is the true one. */
const openGate = (receiver: Receiver) => (address: string) => connect(receiver.port, address);

afterEach(() => closeEgress());

describe("a URL that names no public https server", () => {
  it.each([
    "http://hooks.acme.io/cb",
    "http://127.0.0.1/",
    "https://hooks.acme.io:80/cb",
    "https://hooks.acme.io:8443/cb",
    "https://user:pw@hooks.acme.io/cb",
    "https://user@hooks.acme.io/cb",
    "ftp://hooks.acme.io/cb",
    "wss://hooks.acme.io/",
    "data:text/plain,x",
    "//hooks.acme.io/cb",
    "https://",
    "",
    "https://[fe80::1%25eth0]/",
    "https://xn--/",
    "https://127.0.0.1#@hooks.acme.io/",
    "https://127.127.127.127/",
    "https://127.0.0.0/",
    "https://127.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://2852039166/",
    "https://0x7f.0x0.0x0.0x1/",
    "https://0x7f000001/",
    "https://0xc0a80101/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://012.1.2.3/",
    "https://0o177.0.0.1/",
    "https://127.0.0.1./",
    "https://0/",
    "https://0.0.0.0/",
    "https://①②⑦.⓪.⓪.①/",
    "https://%31%32%37.0.0.1/",
    "https://127。0。0。1/",
    "https://10.254.0.0/",
    "https://172.31.255.255/",
    "https://192.168.0.1/",
    "https://100.64.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://168.63.129.16/machine",
    "https://192.0.2.255/",
    "https://203.0.113.6/",
    "https://192.31.196.1/",
    "https://192.175.48.1/",
    "https://224.1.2.3/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::1]/",
    "https://[3fff::dead:beef]/",
    "https://[100::1]/",
    "https://[fd00:ec2::254]/latest/meta-data/",
    "https://[fe80::dead:beef]/",
    "https://[ff02::1]/",
  ])("%s is blocked before a name is asked or a connection begun", async (url) => {
    const reached: string[] = [];
    const outcome = await send(post(url), {
      resolve: async (host) => {
        reached.push(host);
        return [PUBLIC];
      },
      dial: (address) => {
        reached.push(address);
        return connect(1, "127.0.0.1");
      },
    });
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "blocked" });
    expect(reached).toEqual([]);
  });
});

describe("a name with an address that is not public", () => {
  it.each([
    [["127.0.0.1"]],
    [["127.8.8.8"]],
    [["0.0.0.0"]],
    [["::1"]],
    [["::"]],
    [["::ffff:7f00:1"]],
    [["::ffff:127.0.0.1"]],
    [["::7f00:1"]],
    [["::ffff:0:7f00:1"]],
    [["64:ff9b::7f00:1"]],
    [["64:ff9b:1::7f00:1"]],
    [["2002:7f00:1::"]],
    [["2001:0:7f00:1::1"]],
    [["169.254.169.254"]],
    [["10.0.0.1"]],
    [["fe80::1%lo"]],
    [["not an address"]],
    [[PUBLIC, "127.0.0.1"]],
    [["127.0.0.1", PUBLIC]],
    [[PUBLIC, "::1"]],
    [["2606:4700:4700::1111", "::ffff:7f00:1"]],
    [[PUBLIC, PUBLIC, PUBLIC, PUBLIC, PUBLIC, "10.0.0.1"]],
  ])("%j: no connection reaches the machine", async (addresses) => {
    const receiver = await openReceiver(says(OK), { host: "::" });
    const outside = { resolve: async () => addresses, dial: openGate(receiver) };
    const outcome = await send(post("https://hooks.acme.io/cb"), outside);
    expect(outcome).toMatchObject({ kind: "failed", errorClass: "blocked" });
    expect(addresses).toContain(outcome.address);
    expect(receiver.seen).toMatchObject({ connections: 0, bytes: 0 });
  });

  it("would reach it through the same gate if its origin were allowed", async () => {
    const receiver = await openReceiver(says(OK), { host: "::" });
    const outside = { dial: openGate(receiver) };
    const outcome = await send(
      post("http://[::ffff:7f00:1]/cb", { allowedOrigins: ["http://[::ffff:7f00:1]"] }),
      outside,
    );
    expect(outcome).toMatchObject({ kind: "answered", status: 200 });
    expect(receiver.seen.connections).toBe(1);
  });

  it("gets no byte when only the connected address shows it", async () => {
    const receiver = await openReceiver(says(OK));
    for (const remote of ["127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3"]) {
      const outside = { resolve: async () => [PUBLIC], ...outsideWith(receiver.port, { remote }) };
      const outcome = await send(post("https://hooks.acme.io/cb"), outside);
      expect(outcome).toMatchObject({ kind: "failed", errorClass: "blocked", address: remote });
    }
    expect(receiver.seen).toMatchObject({ bytes: 0 });
  });
});

describe("a name that is rebound", () => {
  it("is asked once: the connection goes to the address that was checked", async () => {
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    const answers = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]];
    const outside = { ca, resolve: async () => answers.shift() ?? [], ...outsideWith(receiver.port) };
    expect(await send(post("https://hooks.acme.io/cb"), outside)).toMatchObject({ status: 200, address: PUBLIC });
    expect(outside.dialled).toEqual([`${PUBLIC} 443`]);
    expect(answers).toHaveLength(2);
  });

  it("keeps its next request on the checked connection, and is blocked when that one is gone", async () => {
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    const answers = [[PUBLIC], ["127.0.0.1"]];
    const outside = { ca, resolve: async () => answers.shift() ?? [], ...outsideWith(receiver.port) };
    await send(post("https://hooks.acme.io/1"), outside);
    expect(await send(post("https://hooks.acme.io/2"), outside)).toMatchObject({ status: 200, address: PUBLIC });
    closeEgress();
    expect(await send(post("https://hooks.acme.io/3"), outside)).toMatchObject({
      errorClass: "blocked",
      address: "127.0.0.1",
    });
    expect(outside.dialled).toEqual([`${PUBLIC} 443`]);
    expect(receiver.seen.connections).toBe(1);
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("%i to a private address is an answer and is not followed", async (status) => {
    const inside = await openReceiver(says(OK));
    const receiver = await openReceiver(
      says(`HTTP/1.1 ${status} Moved\r\nlocation: ${inside.origin}/\r\ncontent-length: 0\r\n\r\n`),
      { tls: "valid" },
    );
    const outside = { ca, resolve: async () => [PUBLIC], ...outsideWith(receiver.port) };
    const outcome = await send(post("https://hooks.acme.io/cb"), outside);
    expect(outcome).toMatchObject({ kind: "answered", status, headers: { location: `${inside.origin}/` } });
    expect(inside.seen.connections).toBe(0);
    expect(outside.dialled).toHaveLength(1);
  });
});

describe("an allowed origin", () => {
  it("is allowed exactly: not another port, scheme or name of the same server", async () => {
    const receiver = await openReceiver(says(OK));
    const { port, origin } = receiver;
    const allowedOrigins = [origin];
    expect(await send(post(`${origin}/cb`, { allowedOrigins }))).toMatchObject({ kind: "answered", status: 200 });
    for (const other of [
      `https://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      "http://127.0.0.1/",
      "https://127.0.0.1/",
    ]) {
      expect(await send(post(other, { allowedOrigins }))).toMatchObject({ errorClass: "blocked" });
    }
    expect(receiver.seen.connections).toBe(1);
  });

  it("is found as the machine finds names", async () => {
    const { port } = await openReceiver(says(OK));
    const origin = `http://localhost:${port}`;
    const outcome = await send(post(`${origin}/cb`, { allowedOrigins: [origin] }));
    expect(outcome).toMatchObject({ kind: "answered", status: 200 });
  });

  it("lends its open connection to no request that does not allow it", async () => {
    const receiver = await openReceiver(says(OK), { tls: "valid" });
    const url = `https://${PUBLIC}/cb`;
    const outside = { ca, ...outsideWith(receiver.port, { remote: "10.0.0.1" }) };
    expect(await send(post(url, { allowedOrigins: [`https://${PUBLIC}`] }), outside)).toMatchObject({ status: 200 });
    const sent = receiver.seen.bytes;
    expect(await send(post(url), outside)).toMatchObject({
      kind: "failed",
      errorClass: "blocked",
      address: "10.0.0.1",
    });
    expect([receiver.seen.bytes, outside.dialled.length]).toEqual([sent, 2]);
  });
});
