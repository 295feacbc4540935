import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEncodedBody } from "@/server/http/encoded-body";
import { type BodyAdmission, EVENT_BODY, SMALL_BODY } from "@/server/http/read-body";

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** A request whose body comes in pieces of so many bytes. */
function post(body: Uint8Array | string, encoding: string, { type = JSON_TYPE, pieces = 65_536 } = {}) {
  const bytes = Buffer.from(body);
  const seen = { cancelled: false };
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + pieces));
      at += pieces;
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  const headers = { "content-type": type, "content-encoding": encoding };
  const init = { method: "POST", body: stream, headers, duplex: "half" } as RequestInit;
  return { request: new Request("http://localhost/", init), seen };
}

const read = (...sent: Parameters<typeof post>) => readEncodedBody(post(...sent).request, { limit: SMALL_BODY });

describe("a compressed body", () => {
  const ways: [string, (text: string) => Uint8Array][] = [
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["GZIP", gzipSync],
    [" gzip ", gzipSync],
    ["identity, gzip", gzipSync],
    ["deflate", deflateSync],
    ["gzip", (text) => Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))])],
    ["gzip", (text) => gzipSync(text, { level: 0 })],
    ["deflate", (text) => deflateSync(text, { level: 9 })],
  ];

  it.each(ways)("is read with Content-Encoding %s, in pieces of any size", async (encoding, compress) => {
    const json = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(json, fc.integer({ min: 1, max: 100 }), async (value, pieces) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes("__proto__"));
        expect(await read(compress(text), encoding, { pieces })).toEqual({
          kind: "read",
          value: JSON.parse(text),
          length: Buffer.byteLength(text),
        });
      }),
      { numRuns: 30 },
    );
  });

  it("may be a form where one is read", async () => {
    const { request } = post(gzipSync("client_id=a&client_secret=b%20c"), "gzip", { type: FORM_TYPE });
    const body = await readEncodedBody(request, { limit: SMALL_BODY, form: true });
    expect(body).toMatchObject({ kind: "read", value: { client_id: "a", client_secret: "b c" } });
    expect(await read(gzipSync("a=b"), "gzip", { type: FORM_TYPE })).toMatchObject({
      reason: "unsupported content type",
    });
  });

  it("may be as long as its limit inflated, and not one byte longer", async () => {
    const sized = (length: number) => `{"a":"${"x".repeat(length - 8)}"}`;
    expect(await read(gzipSync(sized(SMALL_BODY)), "gzip")).toMatchObject({ kind: "read", length: SMALL_BODY });
    expect(await read(gzipSync(sized(SMALL_BODY + 1)), "gzip")).toEqual({ kind: "too_large" });
  });

  it("of a large limit is read in slices, after its turn", async () => {
    const text = JSON.stringify({ a: "ü".repeat(200_000), b: 1 });
    let turns = 0;
    const admission: BodyAdmission = {
      hold: () => ({ add: () => true, arrived() {}, end() {} }),
      async inTurn(parse) {
        turns += 1;
        return await parse();
      },
    };
    const { request } = post(gzipSync(text), "gzip");
    const body = await readEncodedBody(request, { limit: EVENT_BODY, admission });
    expect(body).toMatchObject({ kind: "read", value: { b: 1 }, length: Buffer.byteLength(text) });
    expect(turns).toBe(1);
  });

  it("that inflates to gigabytes is inflated no further than its limit", async () => {
    const bomb = Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))));
    const before = process.memoryUsage().arrayBuffers;
    const { request, seen } = post(bomb, "gzip");
    expect(await readEncodedBody(request, { limit: EVENT_BODY })).toEqual({ kind: "too_large" });
    expect(seen.cancelled).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ["cut short", gzipSync('{"a":"some text"}').subarray(0, -9)],
    ["after its header", gzipSync('{"a":1}').subarray(0, 12)],
    ["with a wrong checksum", Buffer.concat([gzipSync('{"a":1}').subarray(0, -8), Buffer.alloc(8)])],
    ["with other bytes in it", Buffer.concat([gzipSync('{"a":1}').subarray(0, 10), Buffer.alloc(20, 0xff)])],
  ])("is damaged: %s", async (_, bytes) => {
    expect(await read(bytes, "gzip")).toEqual({ kind: "unreadable", reason: "damaged" });
  });

  it("that inflates to no JSON is unreadable for that", async () => {
    expect(await read(gzipSync("{"), "gzip")).toEqual({ kind: "unreadable", reason: "not JSON" });
    expect(await read(gzipSync(""), "gzip")).toEqual({ kind: "unreadable", reason: "empty" });
    expect(await read(gzipSync(Buffer.from([0x22, 0xff])), "gzip")).toMatchObject({ reason: "not UTF-8" });
  });
});

describe("a plain body", () => {
  it.each([
    "gzip;q=1.0, deflate;q=0.6, identity;q=0.3",
    "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
    "gzip",
    "deflate",
    "br",
    "zstd",
    "gzip, br",
    "identity",
    "utf-8",
    "UTF8",
    "none",
    "*",
    "",
    ",",
  ])("is read with Content-Encoding %j", async (encoding) => {
    for (const text of ['{"a":1}', ' \n{"a":1}', '{"a":"xyz"}']) {
      for (const pieces of [1, 100]) {
        expect(await read(text, encoding, { pieces })).toMatchObject({ kind: "read", value: JSON.parse(text) });
      }
    }
    expect(await read("{", encoding)).toMatchObject(
      ["br", "zstd", "gzip, br"].includes(encoding) ? { kind: "encoded" } : { reason: "not JSON" },
    );
    expect(await read("", encoding)).toMatchObject({ reason: "empty" });
  });

  it("is read as a form, whatever its first letters are", async () => {
    for (const first of ["x", "h", "8", "(", "client_id", "_"]) {
      const { request } = post(`${first}=1`, "gzip", { type: FORM_TYPE });
      const body = await readEncodedBody(request, { limit: SMALL_BODY, form: true });
      expect(body).toMatchObject({ kind: "read", value: { [first]: "1" } });
    }
  });
});

it.each<[string, Uint8Array]>([
  ["br", brotliCompressSync('{"a":1}')],
  ["br", brotliCompressSync(JSON.stringify(Array.from({ length: 9_000 }, (_, i) => [i])))],
  [
    "zstd",
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x39, 0x00, 0x00, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d]),
  ],
  ["compress", Buffer.from([0x1f, 0x9d, 0x90, 0x7b, 0x44, 0x84, 0x11])],
  ["gzip, gzip", gzipSync(gzipSync('{"a":1}'))],
  ["deflate, gzip", gzipSync(deflateSync('{"a":1}'))],
  ["gzip, br", brotliCompressSync(gzipSync('{"a":1}'))],
])("a body in an encoding that is not read is known: %s", async (encoding, bytes) => {
  for (const limit of [SMALL_BODY, EVENT_BODY]) {
    expect(await readEncodedBody(post(bytes, encoding).request, { limit })).toEqual({ kind: "encoded" });
  }
});

it("raw deflate, which is no content coding, is unreadable", async () => {
  expect(await read(deflateRawSync(JSON.stringify({ a: "x".repeat(500) })), "deflate")).toMatchObject({
    kind: "unreadable",
  });
});

it("a body that a client stops sending is given up with it", async () => {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(gzipSync('{"a":1}').subarray(0, 12));
      controller.error(new Error("the client went away"));
    },
  });
  const headers = { "content-type": JSON_TYPE, "content-encoding": "gzip" };
  const init = { method: "POST", body: stream, headers, duplex: "half" } as RequestInit;
  const body = await readEncodedBody(new Request("http://localhost/", init), { limit: SMALL_BODY });
  expect(body).toEqual({ kind: "unreadable", reason: "damaged" });
});
