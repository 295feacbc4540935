import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { EVENT_BODY, readBody, SMALL_BODY, unreadableSentence } from "@/server/http/read-body";

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

function post(body: BodyInit | null, headers: Record<string, string> = { "content-type": JSON_TYPE }): Request {
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

/** Without the content type that `Request` makes up for a string. */
function untyped(text: string): Request {
  return post(new TextEncoder().encode(text), {});
}

function read(request: Request, form = false) {
  return readBody(request, { limit: SMALL_BODY, form });
}

/** A body of `chunks` pieces of 1 KiB that tells how many were asked for and whether it was cancelled. */
function stream(chunks: number) {
  const seen = { pulled: 0, cancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      seen.pulled += 1;
      controller.enqueue(new Uint8Array(1024).fill(0x20));
      if (seen.pulled === chunks) controller.close();
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { seen, body };
}

describe("a JSON body", () => {
  it("is read as it was sent", async () => {
    const json = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: "grapheme" }));
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes("__proto__"));
        const body = await readBody(untyped(text), { limit: EVENT_BODY });
        expect(body).toEqual({
          kind: "read",
          value: JSON.parse(text),
          length: new TextEncoder().encode(text).length,
        });
      }),
      { numRuns: 200 },
    );
  });

  it.each([JSON_TYPE, "Application/JSON; charset=utf-8", "application/vnd.api+json", ""])(
    "is read with content type %j",
    async (type) => {
      expect(await read(post('{"a":1}', { "content-type": type }))).toMatchObject({ kind: "read", value: { a: 1 } });
    },
  );

  it("is read without a content type", async () => {
    expect(await read(untyped('{"a":1}'))).toMatchObject({ kind: "read", value: { a: 1 } });
  });

  it("is read whatever Content-Encoding says", async () => {
    const headers = { "content-type": JSON_TYPE, "content-encoding": "gzip;q=1.0, deflate;q=0.6" };
    expect(await read(post('{"a":1}', headers))).toMatchObject({ kind: "read", value: { a: 1 } });
  });

  it.each([
    "text/plain",
    "multipart/form-data; boundary=x",
    "text/json+",
    "application/xml",
    FORM_TYPE,
    "application/json, text/plain",
  ])("is not read with content type %s", async (type) => {
    const body = await read(post('{"a":1}', { "content-type": type }));
    expect(body).toEqual({ kind: "unreadable", reason: "unsupported content type" });
  });

  it.each([
    ["", "empty"],
    ["{", "not JSON"],
    ['{"a":1}x', "not JSON"],
    ["{'a':1}", "not JSON"],
    ["[]", "not an object"],
    ['[{"a":1}]', "not an object"],
    ['"text"', "not an object"],
    ["12", "not an object"],
    ["true", "not an object"],
    ["null", "not an object"],
  ])("%j is unreadable: %s", async (text, reason) => {
    expect(await read(untyped(text))).toEqual({ kind: "unreadable", reason });
  });

  it("is described in a sentence of its own", () => {
    expect(unreadableSentence("not JSON", true)).toBe("The body is not valid JSON");
    expect(unreadableSentence("too many values")).toBe("The body has more than 50,000 values");
    expect(unreadableSentence("unsupported content type")).toMatch(/use application\/json$/);
    expect(unreadableSentence("unsupported content type", true)).toMatch(/ or application\/x-www-form-urlencoded$/);
  });

  it("that is absent is unreadable: empty", async () => {
    expect(await read(post(null))).toEqual({ kind: "unreadable", reason: "empty" });
  });

  it.each([
    ["a stray byte", [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]],
    ["an encoded surrogate", [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]],
  ])("with %s is unreadable: not UTF-8", async (_, bytes) => {
    expect(await read(post(new Uint8Array(bytes)))).toEqual({ kind: "unreadable", reason: "not UTF-8" });
  });

  it("with a key twice has the last value", async () => {
    expect(await read(post('{"a":1,"a":2}'))).toMatchObject({ value: { a: 2 } });
  });

  it.each([
    '{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}',
    '{"\\u005f_proto__":{"polluted":true},"a":[{"__prot\\u006f__":{"polluted":true}}]}',
  ])("with __proto__ changes no prototype, not even copied: %s", async (text) => {
    const body = await read(post(text));
    if (body.kind !== "read") throw new Error(body.kind);
    expect(JSON.stringify(body.value)).not.toContain("polluted");
    expect(Object.assign({}, body.value).polluted).toBeUndefined();
    expect(Object.keys({})).toEqual([]);
  });

  it("that breaks off is unreadable", async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a":'));
        controller.error(new Error("connection lost"));
      },
    });
    expect(await read(post(broken))).toEqual({ kind: "unreadable", reason: "cut off" });
  });

  it("in many pieces, cut inside a character, is one body", async () => {
    const bytes = new TextEncoder().encode('{"a":"🎈é"}');
    const pieces = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await read(post(pieces))).toMatchObject({ value: { a: "🎈é" }, length: bytes.length });
  });
});

describe("nesting", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

  it("of 100 is read, of 101 is not", async () => {
    expect(await read(post(nested(100)))).toMatchObject({ kind: "read" });
    expect(await read(post(nested(101)))).toEqual({ kind: "unreadable", reason: "nested too deeply" });
  });

  it("with over 50,000 values is unreadable before they are built, however they are nested", async () => {
    for (const text of [`{"a":[${"0,".repeat(50_000)}0]}`, `{"a":[${"[],".repeat(30_000)}[]]}`]) {
      expect(await readBody(post(text), { limit: EVENT_BODY })).toEqual({
        kind: "unreadable",
        reason: "too many values",
      });
    }
    expect(await readBody(post(`{"a":"${",".repeat(200_000)}"}`), { limit: EVENT_BODY })).toMatchObject({
      kind: "read",
    });
  });

  it("does not count brackets in text, nor ones that are closed again", async () => {
    const text = JSON.stringify({ a: `\\"${"[{".repeat(500)}`, b: Array.from({ length: 300 }, () => [[]]) });
    expect(await read(post(text))).toMatchObject({ kind: "read" });
  });

  it.each(["[", '{"a":'])("of 16 MiB of %s is refused without being parsed", async (piece) => {
    const text = piece.repeat(EVENT_BODY / piece.length);
    const parse = vi.spyOn(JSON, "parse");
    const read = await readBody(post(text), { limit: EVENT_BODY });
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect(read).toEqual({ kind: "unreadable", reason: "nested too deeply" });
    expect(parsed).toBe(0);
  });
});

describe("a body over the limit", () => {
  it("is too large by one byte", async () => {
    const exact = `{"a":"${"x".repeat(SMALL_BODY - 8)}"}`;
    expect(await read(post(exact))).toMatchObject({ kind: "read", length: SMALL_BODY });
    expect(await read(post(`${exact} `))).toEqual({ kind: "too_large" });
  });

  it("is refused by its content-length before any of it is read", async () => {
    const { seen, body } = stream(1000);
    const request = post(body, { "content-type": JSON_TYPE, "content-length": String(SMALL_BODY + 1) });
    expect(await read(request)).toEqual({ kind: "too_large" });
    expect(seen.pulled).toBeLessThan(3);
    expect(seen.cancelled).toBe(true);
  });

  it("without a content-length, or with a false one, is refused as soon as it is over", async () => {
    const lengths: Record<string, string>[] = [{}, { "content-length": "10" }, { "content-length": "many" }];
    for (const length of lengths) {
      const { seen, body } = stream(100_000);
      expect(await read(post(body, { "content-type": JSON_TYPE, ...length }))).toEqual({ kind: "too_large" });
      expect(seen.pulled).toBeLessThan(70);
      expect(seen.cancelled).toBe(true);
    }
  });
});

describe("a form", () => {
  const form = (text: string) => read(post(text, { "content-type": FORM_TYPE }), true);

  it("is read where it is documented, its keys as they are", async () => {
    const body = await form("client_id=a%20b+c&x%5By%5D=1&client_id=last&__proto__=p&toString=t&flag");
    if (body.kind !== "read") throw new Error(body.kind);
    expect({ ...body.value }).toEqual({ client_id: "last", "x[y]": "1", toString: "t", flag: "" });
    expect(Object.getPrototypeOf(body.value)).toBeNull();
  });

  it("without fields is an empty object", async () => {
    expect(await form("")).toMatchObject({ kind: "read", value: {} });
  });

  it("gives back what URLSearchParams wrote", async () => {
    const text = fc.string({ unit: "grapheme" });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          text.filter((key) => key !== "__proto__"),
          text,
        ),
        async (fields) => {
          const body = await form(new URLSearchParams(fields).toString());
          expect(body.kind === "read" && { ...body.value }).toEqual({ ...fields });
        },
      ),
    );
  });

  it("with a lone percent sign has it as text", async () => {
    expect(await form("a=100%&b=%zz")).toMatchObject({ value: { a: "100%", b: "%zz" } });
  });

  it("with bytes that are not UTF-8 is unreadable", async () => {
    expect(await form("client_secret=%ff")).toEqual({ kind: "unreadable", reason: "not UTF-8" });
  });
});

describe("a large body", () => {
  /** Counts what is held, as long as `room` bytes are enough. */
  function admission(room = Number.POSITIVE_INFINITY) {
    const seen = { held: 0, hasArrived: false, turns: 0, giveUp: () => {} };
    return {
      seen,
      hold: (giveUp: () => void) => {
        seen.giveUp = giveUp;
        return {
          add: (bytes: number) => {
            seen.held += bytes;
            return seen.held <= room;
          },
          arrived: () => {
            seen.hasArrived = true;
          },
          end: () => {},
        };
      },
      inTurn: <Result>(parse: () => Promise<Result>) => {
        seen.turns += 1;
        return parse();
      },
    };
  }
  /** Endless, and silent after so many bytes. */
  const trickling = (bytes: number) =>
    new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(bytes).fill(0x20)) });
  const overloaded = { reason: { kind: "overloaded", retryAfter: expect.any(Number) } };

  it("asks for its turn when all of it is there, once", async () => {
    const { seen: sent, body } = stream(1024);
    const given = admission();
    const inTurn = <Result>(parse: () => Promise<Result>) => {
      expect([sent.pulled, given.seen.hasArrived]).toEqual([1024, true]);
      return given.inTurn(parse);
    };
    const read = await readBody(post(body), { limit: EVENT_BODY, admission: { ...given, inTurn } });
    expect(read).toMatchObject({ kind: "unreadable", reason: "not JSON" });
    expect(given.seen).toMatchObject({ turns: 1, held: 1024 * 1024 });
  });

  it("whose turn does not come is refused as the queue says", async () => {
    const inTurn = () => Promise.reject(new Error("too many wait"));
    const refused = readBody(post(stream(1024).body), { limit: EVENT_BODY, admission: { ...admission(), inTurn } });
    await expect(refused).rejects.toThrow("too many wait");
  });

  it("for which there is no room is refused, and not read on", async () => {
    const { seen: sent, body } = stream(1024);
    await expect(readBody(post(body), { limit: EVENT_BODY, admission: admission(200_000) })).rejects.toMatchObject(
      overloaded,
    );
    expect([sent.pulled < 300, sent.cancelled]).toEqual([true, true]);
  });

  it("that trickles is refused as soon as others need the room", async () => {
    const given = admission();
    const reading = readBody(post(trickling(300 * 1024)), { limit: EVENT_BODY, admission: given });
    await vi.waitFor(() => expect(given.seen.held).toBe(300 * 1024));
    given.seen.giveUp();
    await expect(reading).rejects.toMatchObject(overloaded);
    expect(given.seen.turns).toBe(0);
  });

  it("is counted from 16 KiB on, and has no turn up to 128 KiB", async () => {
    const given = admission();
    await readBody(post('{"a":1}'), { limit: EVENT_BODY, admission: given });
    expect(given.seen).toMatchObject({ held: 0, turns: 0 });
    await readBody(post(JSON.stringify({ a: "x".repeat(20_000) })), { limit: EVENT_BODY, admission: given });
    expect(given.seen).toMatchObject({ held: 20_008, turns: 0 });
  });

  it("that drips in is cut off after 30 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const reading = readBody(post(trickling(300 * 1024)), { limit: EVENT_BODY });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await reading).toEqual({ kind: "unreadable", reason: "cut off" });
    } finally {
      vi.useRealTimers();
    }
  });
});
