import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonFault, jsonReader } from "@/server/domain/json-reader";
import { whole } from "@/server/domain/pieces";

function read(bytes: Uint8Array, cuts: readonly number[] = [], longestText?: number): unknown {
  const reader = jsonReader({ deepest: 100, mostValues: 10_000, longestText });
  const places = [0, ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i += 1) whole(reader.take(bytes.subarray(places[i - 1], places[i])));
  return reader.end();
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const value = fc.jsonValue({ stringUnit: "binary" });

describe("JSON that is read while it comes", () => {
  it("is what JSON.parse gives, wherever it is cut", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1), cuts, (given, indent, places) => {
        const text = JSON.stringify(given, null, indent);
        fc.pre(!text.includes("__proto__") && text.isWellFormed());
        expect(read(Buffer.from(text), places)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it("is what JSON.parse gives with every character escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), cuts, (given, places) => {
        const escaped = [...Array(given.length).keys()].map(
          (i) => `\\u${given.charCodeAt(i).toString(16).padStart(4, "0")}`,
        );
        const text = `["${escaped.join("")}", "\\\\\\"\\/\\b\\f\\n\\r\\t"]`;
        expect(read(Buffer.from(text), places)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it("keeps the beginning of a longer text, and whole characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 12 }), cuts, (given, longest, places) => {
        const kept = read(Buffer.from(JSON.stringify([given, "next"])), places, longest) as string[];
        expect(kept[1]).toBe("next".slice(0, longest));
        expect(given.startsWith(kept[0] ?? "?")).toBe(true);
        expect(kept[0]?.isWellFormed()).toBe(true);
        const least = Math.min(given.length, longest);
        expect([least, least - 1]).toContain(kept[0]?.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it("finds a fault also in what it does not keep", () => {
    const [before, after] = ['"aaaaaaaaaa', '"'].map((text) => Buffer.from(text));
    expect(() => read(Buffer.concat([before, Buffer.from([0xff]), after] as Buffer[]), [5], 2)).toThrow("not UTF-8");
    expect(() => read(Buffer.concat([before, Buffer.from("\\x"), after] as Buffer[]), [5], 2)).toThrow("not JSON");
  });

  it("is refused where JSON.parse refuses it", () => {
    const signs = fc.constantFrom(...'{}[],:"\\ \n0123-+.eEtruefalsn\u0000é'.split(""), "true", "null", '"a"', "1e5");
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), cuts, (parts, places) => {
        const text = parts.join("");
        expect(attempt(() => read(Buffer.from(text), places))).toEqual(attempt(() => JSON.parse(text)));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["a stray byte", Buffer.from([0x22, 0xff, 0x22]), "not UTF-8"],
    ["half a character", Buffer.from([0x22, 0xe4, 0xb8, 0x22]), "not UTF-8"],
    ["no end", Buffer.from('{"a":"b'), "not JSON"],
    ["101 brackets", Buffer.from("[".repeat(101)), "nested too deeply"],
    ["10,001 values", Buffer.from(`[${"1,".repeat(10_001)}1]`), "too many values"],
  ])("with %s is a fault", (_, bytes, reason) => {
    expect(() => read(bytes)).toThrow(new JsonFault(reason as JsonFault["reason"]));
  });

  it("may begin with a mark, and leaves out what is called __proto__", () => {
    expect(read(Buffer.from('\ufeff{"__proto__":{"a":1},"b":{"\\u005f_proto__":2}}'))).toEqual({ b: {} });
  });
});

function attempt(parse: () => unknown): { value: unknown } | "refused" {
  try {
    return { value: parse() };
  } catch {
    return "refused";
  }
}
