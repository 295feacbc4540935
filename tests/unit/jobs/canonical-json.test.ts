import { createRequire } from "node:module";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "@/server/jobs/executor/canonical-json";

const sdk = createRequire(createRequire(import.meta.url).resolve("inngest"));
const theirs = sdk("canonicalize") as (value: unknown) => string;

it("what is signed is byte for byte what the SDK verifies, for any JSON and half surrogate pairs", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const ours = canonicalJson(value);
      expect(ours).toBe(theirs(JSON.parse(ours)));
    }),
  );
});

it.each([
  [{ b: 1, a: [1, null, { d: 1, c: "é" }] }, '{"a":[1,null,{"c":"é","d":1}],"b":1}'],
  [{ x: "\ud83d" }, '{"x":"\\ud83d"}'],
  [{ "10": 1, "9": 2, none: undefined }, '{"10":1,"9":2}'],
  [{ v: { toJSON: 1, b: 1, "9": 1, "10": 2 } }, '{"v":{"9":1,"10":2,"toJSON":1,"b":1}}'],
])("%j becomes %s", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
  expect(theirs(JSON.parse(text))).toBe(text);
});
