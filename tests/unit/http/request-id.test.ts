import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestId } from "@/server/http/request-id";

const GENERATED = /^req_[0-9a-f]{24}$/;
const letters = [..."ABCXYZabcxyz0189._-"];

describe("Svc-Request-Id", () => {
  it("of 8 to 64 letters, digits, dots, dashes and underscores comes back unchanged", () => {
    const callers = fc.string({ unit: fc.constantFrom(...letters), minLength: 8, maxLength: 64 });
    fc.assert(fc.property(callers, (header) => requestId(header) === header));
  });

  it.each([
    ["absent", undefined],
    ["null", null],
    ["empty", ""],
    ["7 characters", "abcdefg"],
    ["65 characters", "a".repeat(65)],
    ["with a space", "abcdefgh ijkl"],
    ["with a line break at its end", "abcdefgh\n"],
    ["with letters that are not ASCII", "ábcdefghi"],
  ])("that is %s is replaced by a new one", (_, header) => {
    expect(requestId(header)).toMatch(GENERATED);
  });

  it("is never generated twice", () => {
    const ids = Array.from({ length: 20_000 }, () => requestId(null));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
