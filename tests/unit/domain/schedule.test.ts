import { describe, expect, it } from "vitest";
import { lastAttempt, RETRIED_FOR_MS, WAITS_MS } from "@/server/domain/channels/schedule";

const HOUR = 3_600_000;
const createdAt = Date.parse("2026-11-21T10:00:00Z");

describe("the last attempt of a delivery", () => {
  it("is the tenth, about a day after the first", () => {
    const { number, at } = lastAttempt({ number: 1, at: createdAt }, createdAt);
    expect(number).toBe(10);
    expect(at - createdAt).toBeGreaterThan(RETRIED_FOR_MS);
    expect(at - createdAt).toBeLessThan(26 * HOUR);
  });

  it("follows from the next one", () => {
    const nextAt = createdAt + 20 * HOUR;
    expect(lastAttempt({ number: 10, at: nextAt }, createdAt)).toEqual({ number: 10, at: nextAt });
    const { number, at } = lastAttempt({ number: 9, at: nextAt }, createdAt);
    expect([number, Math.round((at - nextAt) / (WAITS_MS.at(-1) ?? 0))]).toEqual([10, 1]);
  });

  it("comes 48 hours after creation where the schedule is longer, as after a pause", () => {
    const last = lastAttempt({ number: 8, at: createdAt + 40 * HOUR }, createdAt);
    expect(last).toEqual({ number: 10, at: createdAt + 48 * HOUR });
    expect(lastAttempt({ number: 5, at: createdAt + 47.9 * HOUR }, createdAt)).toMatchObject({ number: 6 });
  });
});
