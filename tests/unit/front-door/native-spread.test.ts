import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const load: (source: string) => string = createRequire(import.meta.url)("../../../server/front-door/native-spread.cjs");
const dist = resolve("node_modules/@trpc/server/dist");
const published = () => {
  const [file, ...more] = readdirSync(dist).filter((name) => /^getErrorShape-.*\.mjs$/.test(name));
  expect(more).toEqual([]);
  return readFileSync(resolve(dist, file ?? ""), "utf8");
};

describe("the spread of tRPC, as the build puts it back", () => {
  it("is found in what is installed", () => {
    expect(published()).toContain("getOwnPropertyDescriptors");
    expect(load(published())).not.toContain("getOwnPropertyDescriptors");
  });

  it("does what the language's own does", () => {
    const [text = ""] = /^function _objectSpread2[\s\S]*?^\}$/m.exec(load(published())) ?? [];
    const spread: (...objects: unknown[]) => unknown = new Function(`${text} return _objectSpread2;`)();
    const one = { a: 1, b: 2 };
    expect(spread({}, one)).toEqual(one);
    expect(
      spread(
        spread({}, one),
        {},
        {
          b: 3,
          get c() {
            return 4;
          },
        },
      ),
    ).toEqual({ a: 1, b: 3, c: 4 });
    expect(spread({}, undefined, null, one)).toEqual(one);
    expect(() => spread({}, one, one, one, one)).toThrow(/four objects/);
  });

  it("refuses a version that it does not know", () => {
    expect(() => load("function _objectSpread2(a, b) { return { ...a, ...b }; }")).toThrow(/not what it was/);
  });
});
