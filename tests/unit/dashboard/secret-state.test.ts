import { expect, it } from "vitest";
import { isSecretActive, secretState } from "@/components/dashboard/applications/secret-state";

const DAY = 86_400_000;
const now = Date.parse("2026-11-29T12:00:00Z");
const at = (ms: number) => new Date(now + ms).toISOString();

it.each([
  ["never expires", null, null, "active"],
  ["expires in 14 days", null, at(14 * DAY), "active"],
  ["expires in just under 14 days", null, at(14 * DAY - 1), "expiring"],
  ["expires in a moment", null, at(1), "expiring"],
  ["expires now", null, at(0), "expired"],
  ["was retired before it expires", at(-DAY), at(DAY), "retired"],
  ["was retired before it expired", at(-2 * DAY), at(-DAY), "retired"],
] as const)("a secret that %s", (_, retiredAt, expiresAt, state) => {
  expect(secretState({ retiredAt, expiresAt }, now)).toBe(state);
  expect(isSecretActive({ retiredAt, expiresAt }, now)).toBe(state === "active" || state === "expiring");
});
