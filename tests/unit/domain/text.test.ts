import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFaulty, type Path, textFaults } from "@/server/domain/text";

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value);
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

describe("text faults", () => {
  it("are the strings with U+0000 or a lone surrogate, and no others", () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom("\u0000", "a\uD800", "\uDC00b", "🎈", "\uD83C\uDF88", "\uDF88\uD83C"),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const found = textFaults(value).map((path) => at(value, path));
        expect(found).toEqual(strings(value).filter((each) => /[\0\p{Surrogate}]/u.test(each)));
      }),
    );
  });

  it("are told apart from pairs", () => {
    expect(["\uD83C", "\uDF88", "\uDF88\uD83C", "a\u0000"].every(isFaulty)).toBe(true);
    expect(["", "🎈", "é\u0001\uFFFF"].some(isFaulty)).toBe(false);
  });

  it("are reported at most a hundred times", () => {
    expect(textFaults(Array.from({ length: 5000 }, () => "\u0000"))).toHaveLength(100);
  });

  it("are found at any depth", () => {
    let value: unknown = "\u0000";
    for (let i = 0; i < 50_000; i += 1) value = [value];
    expect(textFaults(value)[0]).toHaveLength(50_000);
  });
});
