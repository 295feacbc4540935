import { once } from "node:events";
import { get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, createGunzip, gunzipSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { provideEnv } from "@/server/env";
import { type FrontDoor, frontDoor } from "@/server/front-door/server";

const PAGE = `<p>${"A delivery failed. ".repeat(500)}</p>`;
const VARY = "rsc, next-router-state-tree";
const html = { headers: { "content-type": "text/html; charset=utf-8" } };
const routes = { "/v1/things": { GET: () => new Response(PAGE, html) } };

let front: FrontDoor | undefined;
afterEach(() => front?.close());

/** The front front before pages that answer so. */
async function served(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent" });
  front = frontDoor({ routes, fallback: answer });
  front.server.listen(0, "127.0.0.1");
  await once(front.server, "listening");
  return `http://127.0.0.1:${(front.server.address() as AddressInfo).port}`;
}

/** As Next writes a page: its length is not known, and its own `Vary` is on it. */
function page(_: IncomingMessage, res: ServerResponse): void {
  res.setHeader("Content-Type", html.headers["content-type"]);
  res.setHeader("Vary", VARY);
  res.end(PAGE);
}

async function ask(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [answer] = await once(get(url, { headers, agent: false }), "response");
  return answer;
}

async function read(url: string, headers: Record<string, string>) {
  const answer = await ask(url, headers);
  return { headers: answer.headers, body: await buffer(answer) };
}

describe("pages and what they load", () => {
  it.each(["/dashboard", "/dashboard/deliveries?state=failed", "/_next/static/chunks/a.js"])(
    "%s is compressed as the caller accepts it",
    async (path) => {
      const origin = await served(page);
      const zipped = await read(origin + path, { "accept-encoding": "gzip, deflate" });
      expect(zipped.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
      expect(gunzipSync(zipped.body).toString()).toBe(PAGE);
      expect(zipped.body.length).toBeLessThan(PAGE.length / 10);
      const brotli = await read(origin + path, { "accept-encoding": "gzip, deflate, br" });
      expect(brotli.headers["content-encoding"]).toBe("br");
      expect(brotliDecompressSync(brotli.body).toString()).toBe(PAGE);
    },
  );

  it("come as they are to whoever accepts nothing else, and say that this differs", async () => {
    const plain = await read(`${await served(page)}/dashboard`, {});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers.vary).toBe("Accept-Encoding");
    expect(plain.body.toString()).toBe(PAGE);
  });

  it("are compressed too when they come as the data of a page", async () => {
    const origin = await served((_, res) => res.setHeader("Content-Type", "text/x-component").end(PAGE));
    const { headers } = await read(`${origin}/dashboard/deliveries?_rsc=1`, { "accept-encoding": "gzip", rsc: "1" });
    expect(headers["content-encoding"]).toBe("gzip");
  });

  it("arrive piece by piece", async () => {
    let goOn = () => {};
    const origin = await served((_, res: ServerResponse & { flush?(): void }) => {
      res.setHeader("Content-Type", html.headers["content-type"]);
      res.write("<p>first</p>");
      res.flush?.();
      goOn = () => res.end("<p>last</p>");
    });
    const pieces = (await ask(`${origin}/dashboard`, { "accept-encoding": "gzip" })).pipe(createGunzip());
    const [first] = await once(pieces, "data");
    expect(String(first)).toBe("<p>first</p>");
    goOn();
    expect((await buffer(pieces)).toString()).toBe("<p>last</p>");
  });

  it("are left as they are when they are pictures or fonts, compressed already, or a part that was asked for", async () => {
    const origin = await served((req, res) => {
      res.setHeader("Content-Type", req.url?.endsWith("font") ? "font/woff2" : "text/css");
      if (req.url?.endsWith("zipped")) res.setHeader("Content-Encoding", "zstd");
      if (req.url?.endsWith("part")) res.writeHead(206, { "Content-Range": `bytes 0-${PAGE.length - 1}/99999` });
      res.end(PAGE);
    });
    for (const [name, encoding] of [["font"], ["part"], ["zipped", "zstd"]]) {
      const { headers, body } = await read(`${origin}/_next/static/${name}`, { "accept-encoding": "gzip" });
      expect([headers["content-encoding"], body.toString()]).toEqual([encoding, PAGE]);
    }
  });
});

describe("what a route compressed already", () => {
  it("says so, also where Next has taken its Content-Encoding away, and is not compressed again", async () => {
    const zipped = gzipSync(PAGE);
    const origin = await served((_, res) => {
      res.setHeader("Content-Type", html.headers["content-type"]);
      res.setHeader("X-Almanac-Content-Encoding", "gzip");
      res.end(zipped);
    });
    const { headers: sent, body } = await read(`${origin}/docs`, { "accept-encoding": "gzip" });
    expect(sent).toMatchObject({ "content-encoding": "gzip" });
    expect([sent["x-almanac-content-encoding"], body]).toEqual([undefined, zipped]);
  });
});

describe("everything else", () => {
  it.each([
    "/v1/things",
    "/v1/other",
    "/oauth/authorize",
    "/api/trpc/session.me",
    "/api/graphql",
    "/api/graphql/x",
    "/dashboard/sign-in",
    "/dashboards",
  ])("%s is never compressed", async (path) => {
    const { headers, body } = await read((await served(page)) + path, { "accept-encoding": "gzip, br" });
    expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
    expect(body.toString()).toBe(PAGE);
  });
});

it("what a route has compressed comes through Next with its Content-Encoding, which Next takes off", async () => {
  const zipped = gzipSync(PAGE);
  const origin = await served((_, res) => {
    res.setHeader("Content-Type", "application/json");
    res.setHeader("Vary", `Accept-Encoding, ${VARY}`);
    res.setHeader("x-almanac-content-encoding", "gzip");
    res.end(zipped);
  });
  const { headers, body } = await read(`${origin}/v1/others`, { "accept-encoding": "gzip" });
  expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(headers).not.toHaveProperty("x-almanac-content-encoding");
  expect(body).toEqual(zipped);
});
