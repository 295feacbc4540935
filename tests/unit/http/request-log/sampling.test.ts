import { describe, expect, it } from "vitest";
import { orderedUuid } from "@/server/db/ordered-hex";
import { sampling } from "@/server/http/request-log/sampling";

const read = {
  ...{ method: "GET", status: 200, durationMs: 12, address: "203.0.113.1" },
  ...{ isAuthenticated: true, applicationId: "app_1" },
};
const ids = Array.from({ length: 4_000 }, () => orderedUuid(Date.parse("2026-11-21T10:00:00Z")));
const storedOf = (share: number, request: typeof read) => {
  const isStored = sampling(() => 0, share);
  return ids.filter((id) => isStored(request, id)).length;
};

describe("of successful reads", () => {
  it("a share is stored, chosen at random", () => {
    expect(storedOf(1, read)).toBe(ids.length);
    expect(storedOf(0, read)).toBe(0);
    const tenth = storedOf(0.1, { ...read, status: 304 });
    expect(tenth).toBeGreaterThan(ids.length / 20);
    expect(tenth).toBeLessThan(ids.length / 5);
  });

  it.each([
    ["a write", { method: "POST", status: 202 }],
    ["an error", { status: 404 }],
    ["an error of ours", { status: 503 }],
    ["a slow read", { durationMs: 1_001 }],
  ])("%s is none: all are stored", (_, more) => {
    expect(storedOf(0, { ...read, ...more })).toBe(ids.length);
  });
});
