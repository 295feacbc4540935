import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provideEnv, readEnv } from "@/server/env";
import { type FrontDoor, type FrontDoorOptions, frontDoor, type RouteModule } from "@/server/front-door/server";

const echo = async (request: Request, { params }: { params: Promise<unknown> }) =>
  Response.json({
    method: request.method,
    url: request.url,
    params: await params,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  });
const every = (answer: (request: Request, context: { params: Promise<unknown> }) => Response | Promise<Response>) =>
  Object.fromEntries(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((name) => [name, answer])) as RouteModule;

let inside: () => void = () => {};
let goOn: Promise<void> = Promise.resolve();

const routes = {
  "/v1/things": every(echo),
  "/v1/things/[thing_id]": every(echo),
  "/v1/things/first": { GET: () => new Response("fixed") },
  "/v1/things/[thing_id]/parts/[...path]": every(echo),
  "/v1/cookies": {
    GET: () =>
      new Response(null, {
        status: 202,
        headers: [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ],
      }),
  },
  "/v1/broken": { GET: () => Promise.reject(new Error("broken")) },
  "/v1/refusing": {
    POST: (request: Request) => request.body?.cancel().then(() => new Response(null, { status: 413 })),
  },
  "/v1/slow": {
    GET: async () => {
      inside();
      await goOn;
      return new Response("done");
    },
  },
  "/v1/[[...unknown]]": every(() => new Response(null, { status: 404, headers: { "x-from": "unknown" } })),
};

let front: FrontDoor;
let origin: string;
beforeAll(async () => {
  provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent" });
  ({ front, origin } = await open());
});
afterAll(() => front.close());

async function open(options?: Partial<FrontDoorOptions>): Promise<{ front: FrontDoor; origin: string }> {
  const opened = frontDoor({ routes, ...options });
  opened.server.listen(0, "127.0.0.1");
  await once(opened.server, "listening");
  return { front: opened, origin: `http://127.0.0.1:${(opened.server.address() as AddressInfo).port}` };
}

/** Sends bytes as they are and gives everything that comes back until the other side closes. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.write(bytes);
  return await text(socket);
}

const json = async (path: string, init?: RequestInit) => (await fetch(origin + path, init)).json();

describe("a route", () => {
  it("gets the method, the path, the decoded parameters, the headers and the body", async () => {
    const answer = await json("/v1/things/a%20b%2Fc?x=1&y[]=2", {
      method: "DELETE",
      body: '{"é":1}',
      headers: { "x-own": "1" },
    });
    expect(answer).toMatchObject({
      method: "DELETE",
      params: { thing_id: "a b/c" },
      body: '{"é":1}',
      headers: { "x-own": "1" },
    });
    expect(new URL(answer.url).search).toBe("?x=1&y[]=2");
    expect(await json("/v1/things/1/parts/a/%C3%A9")).toMatchObject({ params: { thing_id: "1", path: ["a", "é"] } });
  });

  it("is the fixed one before the dynamic one before the catch-all", async () => {
    expect(await (await fetch(`${origin}/v1/things/first`)).text()).toBe("fixed");
    expect(await json("/v1/things/second")).toMatchObject({ params: { thing_id: "second" } });
    for (const path of ["/v1", "/v1/", "/v1/nothing", "/v1/things/1/2"]) {
      expect((await fetch(origin + path)).headers.get("x-from")).toBe("unknown");
    }
  });

  it("gets a large body in pieces and whole", async () => {
    const body = "0123456789".repeat(500_000);
    expect((await json("/v1/things", { method: "POST", body })).body).toBe(body);
  });

  it("answers with its status, headers and every cookie", async () => {
    const answer = await fetch(`${origin}/v1/cookies`);
    expect([answer.status, answer.headers.getSetCookie(), await answer.text()]).toEqual([202, ["a=1", "b=2"], ""]);
  });

  it("answers HEAD as GET without the body", async () => {
    const answer = await raw("HEAD /v1/things/first HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*content-length: 5\r\n[\s\S]*\r\n\r\n$/);
  });

  it("that throws answers an empty 500", async () => {
    const answer = await fetch(`${origin}/v1/broken`);
    expect([answer.status, await answer.text()]).toEqual([500, ""]);
    expect(answer.headers.get("svc-request-id")).toMatch(/^req_/);
  });

  it("that leaves a body unread does not spoil the next request of the connection", async () => {
    const body = "x".repeat(300_000);
    const answers = await raw(
      `POST /v1/refusing HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        "GET /v1/things/first HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(answers).toMatch(/^HTTP\/1.1 413 [\s\S]*HTTP\/1.1 200 OK[\s\S]*fixed$/);
  });
});

describe("request ids", () => {
  it.each([
    ["an unknown path", "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404],
    ["a malformed escape", "GET /v1/things/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404],
    ["an escape that is no UTF-8", "GET /v1/things/%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404],
    ["an empty segment", "GET //v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404],
    ["the target *", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 404],
    ["TRACE", "TRACE /v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200],
    ["CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    ["no Host", "GET /v1/things HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["an unknown Expect", "GET /v1/things HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n", 417],
    ["bytes that are not HTTP", "hello\r\n\r\n", 400],
    [
      "two lengths",
      "POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["headers over 16 KiB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s is answered with one", async (_, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nSvc-Request-Id: req_[0-9a-f]{24}\r\n/i);
    expect(answer).not.toContain("<");
  });

  it("a caller-sent one comes back unchanged, and reaches the route", async () => {
    const answer = await fetch(`${origin}/v1/things`, { headers: { "Svc-Request-Id": "my-own_id.1" } });
    expect(answer.headers.get("svc-request-id")).toBe("my-own_id.1");
    expect((await answer.json()).headers["x-almanac-request-id"]).toBe("my-own_id.1");
  });
});

describe("every response", () => {
  const everyKind = [
    "GET /v1/things/first HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET /v1/broken HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET /%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n",
    "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
    "nonsense\r\n\r\n",
  ];

  it("says that its type is what it says; over https also that browsers are to come back so", async () => {
    for (const bytes of everyKind) {
      const answer = (await raw(bytes)).toLowerCase();
      expect(answer).toContain("x-content-type-options: nosniff\r\n");
      expect(answer).not.toContain("strict-transport-security");
    }
    const plain = { front, origin };
    ({ front, origin } = await open({ isHttps: true }));
    for (const bytes of everyKind) {
      expect((await raw(bytes)).toLowerCase()).toContain(
        "strict-transport-security: max-age=31536000; includesubdomains\r\n",
      );
    }
    await front.close();
    ({ front, origin } = plain);
  });

  it("is 400 where two hosts were named, or none", async () => {
    for (const hosts of ["Host: a\r\nHost: b\r\n", "Host: a\r\nhOST: a\r\n", ""]) {
      const answer = await raw(`GET /v1/things/first HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
    }
  });
});

describe("a page", () => {
  const pages = [
    "/docs",
    "/docs/",
    "/docs/errors",
    "/docs/nothing",
    "/%64ocs",
    "/dashboard",
    "/dashboard/sign-in",
    "/dashboard/requests/export",
  ];

  it.each(pages)("is only read: %s", async (path) => {
    const seen: string[] = [];
    const fallback = (req: IncomingMessage, res: ServerResponse) => {
      seen.push(`${req.method} ${req.headers["next-action"]}`);
      res.end();
    };
    const { front: other, origin: there } = await open({ fallback });
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const headers = { "next-action": "x", "content-type": "text/plain;charset=UTF-8" };
      const answer = await fetch(there + path, { method, headers, body: "[]" });
      expect([answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([405, "GET, HEAD", ""]);
    }
    expect(seen).toEqual([]);
    for (const method of ["GET", "HEAD"]) {
      expect((await fetch(there + path, { method, headers: { "next-action": "x" } })).status).toBe(200);
    }
    expect(seen).toEqual(["GET undefined", "HEAD undefined"]);
    await other.close();
  });

  it("is not what is called: services get every method", async () => {
    const { front: other, origin: there } = await open({ fallback: (req, res) => void res.end(req.method) });
    for (const path of ["/api/auth/callback/credentials", "/oauth/authorize", "/", "/docsearch", "/nothing"]) {
      expect(await (await fetch(there + path, { method: "POST" })).text()).toBe("POST");
    }
    await other.close();
  });
});

describe("what the service trusts", () => {
  it("is neither of two credentials", async () => {
    const sent = (lines: string) => raw(`GET /v1/things/1 HTTP/1.1\r\nHost: x\r\n${lines}Connection: close\r\n\r\n`);
    expect(await sent("Authorization: Bearer a\r\n")).toContain('"authorization":"Bearer a"');
    expect(await sent("Authorization: Bearer a\r\nauthorization: Bearer b\r\n")).not.toMatch(/"authorization"/);
  });

  it("is never what the caller says", async () => {
    const { headers } = await json("/v1/things", {
      headers: {
        "x-almanac-address": "8.8.8.8",
        "x-almanac-request-id": "forged-id-1",
        "x-almanac-other": "1",
        "x-middleware-subrequest": "1",
        RSC: "1",
        "Next-Router-State-Tree": "1",
        "Next-Action": "1",
      },
    });
    expect(headers).toMatchObject({ "x-almanac-address": "127.0.0.1" });
    expect(headers["x-almanac-request-id"]).toMatch(/^req_/);
    expect(Object.keys(headers).filter((name) => /other|subrequest|rsc|next-/.test(name))).toEqual([]);
  });

  it("is what a trusted proxy says of the caller's address, and nobody else", async () => {
    const { TRUSTED_PROXIES } = readEnv({ TRUSTED_PROXIES: "127.0.0.0/8" });
    const { front: other, origin: there } = await open({ proxies: TRUSTED_PROXIES });
    const headers = { "x-forwarded-for": "198.51.100.9, 203.0.113.7", "x-almanac-address": "8.8.8.8" };
    const told = await (await fetch(`${there}/v1/things`, { headers })).json();
    expect(told.headers).toMatchObject({ "x-almanac-address": "203.0.113.7" });
    expect((await json("/v1/things", { headers })).headers).toMatchObject({ "x-almanac-address": "127.0.0.1" });
    await other.close();
  });

  it("an Upgrade is ignored and a whole URL is read as its path", async () => {
    const answer = await raw(
      "GET http://elsewhere/v1/things/first HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 OK[\s\S]*fixed$/);
  });
});

describe("closing", () => {
  it("answers what runs, then ends its connections", async () => {
    const { front: other, origin: there } = await open();
    const started = new Promise<void>((resolve) => {
      inside = resolve;
    });
    let release = () => {};
    goOn = new Promise((resolve) => {
      release = resolve;
    });
    const answer = fetch(`${there}/v1/slow`);
    await started;
    const closed = other.close();
    await expect(fetch(`${there}/v1/things/first`)).rejects.toThrow();
    release();
    expect(await (await answer).text()).toBe("done");
    await closed;
    expect((await answer).headers.get("connection")).toBe("close");
  });

  it("does not wait for ever", async () => {
    const { front: other, origin: there } = await open();
    const started = new Promise<void>((resolve) => {
      inside = resolve;
    });
    goOn = new Promise(() => {});
    const answer = fetch(`${there}/v1/slow`);
    await started;
    await Promise.all([other.close(50), expect(answer).rejects.toThrow()]);
  });
});
