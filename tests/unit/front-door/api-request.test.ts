import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { provideEnv } from "@/server/env";
import { type FrontDoor, frontDoor } from "@/server/front-door/server";
import type { ApiRequest } from "@/server/http/api-request";
import { EVENT_BODY, readBody, SMALL_BODY } from "@/server/http/read-body";
import { type HttpResponse, json } from "@/server/http/responses";

type Handle = (request: ApiRequest) => Promise<HttpResponse>;

/** How each read ended, in the order in which they did. */
const ends: unknown[] = [];
let isLarge = false;
let goOn = () => {};

const reading =
  (limit: number): Handle =>
  async (request) => {
    const hold = () => ({
      add(bytes: number) {
        isLarge ||= bytes > 16 * 1024;
        return true;
      },
      arrived() {},
      end() {},
    });
    const body = await readBody(request, { limit, admission: { hold, inTurn: (parse) => parse() } });
    const end = body.kind === "unreadable" ? body.reason : body.kind === "read" ? body.length : body.kind;
    ends.push(end);
    return json(200, { end, isUsed: request.bodyUsed });
  };
const handles: Record<string, Handle> = {
  "/v1/small": reading(SMALL_BODY),
  "/v1/large": reading(EVENT_BODY),
  "/v1/unread": async ({ bodyUsed }) => json(200, { isUsed: bodyUsed }),
  "/v1/slow": async ({ body }) => {
    const reader = body?.getReader();
    await reader?.read();
    ends.push("begun");
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let pieces = 1;
    while (!(await reader?.read())?.done) pieces += 1;
    return json(200, { isWhole: pieces > 1 });
  },
  "/v1/cancelled": async (request) => {
    await request.body?.cancel();
    return json(200, { isUsed: request.bodyUsed, again: (await readBody(request, { limit: SMALL_BODY })).kind });
  },
  "/v1/seen": async ({ method, url, headers, body }) => {
    const sent = Object.fromEntries([...headers].filter(([name]) => !name.startsWith("x-almanac-")).sort());
    return json(200, { method, url, sent, none: headers.get("x-none"), hasBody: body !== null });
  },
};

/** The same both ways: as a web Request, as pages and hooks get theirs, and without one. */
const ways = {
  "a web Request": (handle: Handle) => async (request: Request) => {
    const { status, headers, body } = await handle(request);
    return new Response(body, { status, headers });
  },
  "no web Request": (handle: Handle) => Object.assign(() => new Response(null, { status: 500 }), { direct: handle }),
};

describe.each(Object.keys(ways) as (keyof typeof ways)[])("a request of the API that is %s", (way) => {
  let front: FrontDoor;
  let port: number;
  beforeAll(async () => {
    provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent" });
    const routes = Object.entries(handles).map(([path, handle]) => {
      const method = ways[way](handle);
      return [path, { GET: method, POST: method, DELETE: method }];
    });
    front = frontDoor({ routes: Object.fromEntries(routes) });
    front.server.listen(0, "127.0.0.1");
    await once(front.server, "listening");
    ({ port } = front.server.address() as AddressInfo);
  });
  afterAll(() => front.close());
  afterEach(() => {
    vi.useRealTimers();
    ends.length = 0;
    isLarge = false;
  });

  const open = () => connect(port, "127.0.0.1");
  /** Sends bytes as they are, and gives the bodies of everything that comes back until the other side closes. */
  const bodies = async (bytes: string) => {
    const socket = open();
    socket.write(bytes);
    return (await text(socket)).split("\r\n\r\n").flatMap((part) => /^\{.*?\}(?=HTTP|$)/.exec(part)?.[0] ?? []);
  };
  const last = "GET /v1/unread HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const unread = '{"isUsed":false}';
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const chunked = (path: string, chunks: string[]) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${[...chunks, ""]
      .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      .join("")}`;
  const object = (length: number) => `{"a":"${"x".repeat(length - 8)}"}`;

  it("has its headers, each once, whatever their case, and no body where none came", async () => {
    const headers =
      "Host: x\r\nX-Two: a\r\nx-two: b\r\nContent-Type: a/b\r\ncontent-type: c/d\r\nCookie: a=1\r\nCOOKIE: b=2\r\n";
    const [seen] = await bodies(`GET /v1/seen?x=1 HTTP/1.1\r\n${headers}__proto__: p\r\nConnection: close\r\n\r\n`);
    expect(JSON.parse(seen ?? "")).toEqual({
      method: "GET",
      url: "http://localhost/v1/seen?x=1",
      sent: { connection: "close", "content-type": "a/b", cookie: "a=1; b=2", host: "x", "x-two": "a, b" },
      none: null,
      hasBody: false,
    });
  });

  it("is HEAD with the headers of GET, and the next one of its connection gets its own response", async () => {
    expect(await bodies(`HEAD /v1/seen HTTP/1.1\r\nHost: x\r\n\r\n${last}`)).toEqual([unread]);
  });

  it("has the body of a DELETE, and none of a GET, which does not spoil the next one either", async () => {
    const sent = (method: string) => post("/v1/seen", "{}").replace("POST", method) + last;
    expect(await bodies(sent("DELETE"))).toEqual([expect.stringContaining('"hasBody":true'), unread]);
    expect(await bodies(sent("GET"))).toEqual([expect.stringContaining('"hasBody":false'), unread]);
  });

  it.each([
    ["with a length", post("/v1/small", '{"a":1}'), 7],
    ["in chunks", chunked("/v1/small", ['{"a"', ":1", "}"]), 7],
    ["in no chunks", chunked("/v1/small", []), "empty"],
    ["of no bytes", post("/v1/small", ""), "empty"],
    ["as long as it may be", post("/v1/small", object(SMALL_BODY)), SMALL_BODY],
    ["of two megabytes", chunked("/v1/large", [object(2_000_000)]), 2_000_000],
    ["longer than it may be", post("/v1/small", object(SMALL_BODY + 1)), "too_large"],
    ["of chunks that are more than it may be", chunked("/v1/small", Array(300).fill("x".repeat(1_000))), "too_large"],
    ["of a large route, longer than it may be", chunked("/v1/large", ["x".repeat(EVENT_BODY + 1)]), "too_large"],
  ])("whose body is %s is read as that, and its connection goes on", async (_, bytes, end) => {
    const [first, second] = await bodies(bytes + last);
    expect(JSON.parse(first ?? "")).toMatchObject({ end });
    expect(second).toBe(unread);
  });

  it("whose body nobody reads, or is cancelled, leaves the connection to the next one", async () => {
    const body = object(400_000);
    expect(await bodies(post("/v1/unread", body) + last)).toEqual([unread, unread]);
    expect(await bodies(chunked("/v1/unread", [body]) + last)).toEqual([unread, unread]);
    const cancelled = await bodies(chunked("/v1/cancelled", [body]) + last);
    expect(cancelled).toEqual(['{"isUsed":true,"again":"unreadable"}', unread]);
  });

  const half = (path: string, bytes: number): Socket => {
    const socket = open().on("error", () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{"a":"${"x".repeat(bytes)}`);
    return socket;
  };
  const answersOthers = async () => expect(await bodies(last)).toEqual([unread]);

  it("waits outside while its reader does something else, and is whole at the end", async () => {
    const arriving = once(front.server, "connection") as Promise<[Socket]>;
    const response = bodies(post("/v1/slow", "x".repeat(40_000_000)) + last);
    const [socket] = await arriving;
    await expect.poll(() => ends).toEqual(["begun"]);
    for (let i = 0; i < 50; i += 1) await answersOthers();
    expect(socket.bytesRead).toBeLessThan(1_000_000);
    goOn();
    expect(await response).toEqual(['{"isWhole":true}', unread]);
  });

  it("whose client goes away in the middle of the body has not arrived in full", async () => {
    const socket = half("/v1/large", 300_000);
    await expect.poll(() => isLarge).toBe(true);
    socket.resetAndDestroy();
    await expect.poll(() => ends).toEqual(["cut off"]);
    await answersOthers();
  });

  it("whose large body is not there after 30 seconds is cut off, and gets a response", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const socket = half("/v1/large", 300_000);
    while (vi.getTimerCount() === 0) await turn();
    vi.advanceTimersByTime(29_999);
    await turn();
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(1);
    const [bytes] = await once(socket, "data");
    expect(String(bytes)).toMatch(/^HTTP\/1.1 200 [\s\S]*\{"end":"cut off","isUsed":true\}$/);
    socket.destroy();
    vi.useRealTimers();
    await answersOthers();
  });
});
