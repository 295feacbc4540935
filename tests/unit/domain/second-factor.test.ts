import { expect, it } from "vitest";
import { needsSecondFactor, spacedCode, typedCode } from "@/server/domain/second-factor";

it.each([
  ["off", "admin", false],
  ["admins", "admin", true],
  ["admins", "support", false],
  ["admins", "developer", false],
  ["all", "support", true],
  ["all", "developer", true],
] as const)("with %s, the role %s needs a second factor: %s", (policy, role, isNeeded) => {
  expect(needsSecondFactor(policy, role)).toBe(isNeeded);
});

it.each([
  ["123456", { kind: "digits", code: "123456" }],
  [" 123 456 ", { kind: "digits", code: "123456" }],
  ["１２３４５６", { kind: "digits", code: "123456" }],
  ["ABCD-efgh-2345 wxyz", { kind: "recovery", code: "abcdefgh2345wxyz" }],
])("%j is read as a code", (typed, code) => {
  expect(typedCode(typed)).toEqual(code);
});

it.each(["", "12345", "1234567", "abcdefgh2345wxy", "abcdefgh2345wxy1", "abcdefgh2345wxyzz"])(
  "%j is no code",
  (typed) => {
    expect(typedCode(typed)).toBeNull();
  },
);

it("a recovery code is spelled in fours, and read again", () => {
  const spelled = spacedCode("abcdefgh2345wxyz");
  expect(spelled).toBe("abcd-efgh-2345-wxyz");
  expect(typedCode(spelled)).toEqual({ kind: "recovery", code: "abcdefgh2345wxyz" });
});
