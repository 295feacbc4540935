import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ENCODING_HEADER } from "@/server/http/exchange";
import { keptTexts, type MadeText } from "@/server/http/kept-texts";

const LONG = "A page of the documentation. ".repeat(200);

/** Keeps texts; each says how often one was made before. */
function scene({ text = LONG, ...more }: Partial<MadeText> = {}) {
  const respond = keptTexts();
  let made = 0;
  const make = () => {
    made += 1;
    return { type: "text/plain; charset=utf-8", text, ...more };
  };
  return {
    made: () => made,
    get: (headers: Record<string, string> = {}, { name = "a", version = "1", method = "GET" } = {}) =>
      respond(new Request("http://localhost/a", { method, headers }), { name, version, make }),
  };
}

describe("a text that is the same for everybody", () => {
  it("is made once, however many ask, together and one after another", async () => {
    const { get, made } = scene();
    await Promise.all(Array.from({ length: 20 }, () => get()));
    for (let i = 0; i < 20; i += 1) expect(await (await get()).text()).toBe(LONG);
    expect(made()).toBe(1);
    await get({}, { name: "b" });
    expect(made()).toBe(2);
  });

  it("is made again where what it depends on has changed, and the earlier one is dropped", async () => {
    const { get, made } = scene();
    for (const version of ["1", "2", "2", "1"]) await get({}, { version });
    expect(made()).toBe(3);
  });

  it("is not made for who has it", async () => {
    const { get, made } = scene({ headers: { "cache-control": "no-cache" } });
    const etag = (await get()).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const known = await get({ "if-none-match": tags });
      expect([known.status, known.body, known.headers.get("etag")]).toEqual([304, null, etag]);
      expect(known.headers.get("cache-control")).toBe("no-cache");
    }
    expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
    expect(made()).toBe(1);
  });

  it("is sent as the caller accepts it", async () => {
    const { get, made } = scene();
    const sent = async (accepted: string) => {
      const response = await get({ "accept-encoding": accepted });
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
      return { encoding: response.headers.get(ENCODING_HEADER), body: Buffer.from(await response.arrayBuffer()) };
    };
    for (const accepted of ["br", "gzip, deflate, br", "*", "gzip;q=1.0, br;q=0.5"]) {
      const { encoding, body } = await sent(accepted);
      expect([encoding, brotliDecompressSync(body).toString()]).toEqual(["br", LONG]);
    }
    for (const accepted of ["gzip", "GZIP, br;q=0", "deflate, gzip"]) {
      const { encoding, body } = await sent(accepted);
      expect([encoding, gunzipSync(body).toString()]).toEqual(["gzip", LONG]);
    }
    for (const accepted of ["identity", "", "deflate", "gzip;q=0"]) {
      const { encoding, body } = await sent(accepted);
      expect([encoding, body.toString()]).toEqual([null, LONG]);
    }
    expect(made()).toBe(1);
  });

  it("is not compressed where it is short, or no text", async () => {
    for (const { get } of [scene({ text: "short" }), scene({ type: "font/woff2" })]) {
      expect((await get({ "accept-encoding": "br" })).headers.get(ENCODING_HEADER)).toBeNull();
    }
  });

  it("has no body for HEAD, and its status and headers otherwise", async () => {
    const { get } = scene({ status: 404, headers: { "x-own": "1" } });
    const head = await get({}, { method: "HEAD" });
    expect([head.status, head.body, head.headers.get("x-own")]).toEqual([404, null, "1"]);
    const etag = head.headers.get("etag") ?? "";
    expect((await get({ "if-none-match": etag })).status).toBe(404);
  });

  it("that could not be made is tried again for the next one who asks", async () => {
    const respond = keptTexts();
    let tries = 0;
    const make = () => {
      tries += 1;
      if (tries === 1) throw new Error("not yet");
      return { type: "text/plain", text: "there" };
    };
    const get = () => respond(new Request("http://localhost/"), { name: "a", version: "1", make });
    await expect(get()).rejects.toThrow("not yet");
    expect(await (await get()).text()).toBe("there");
  });
});
