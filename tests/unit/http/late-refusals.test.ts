import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lateRefusals } from "@/server/http/late-refusals";
import { STAFF_CALLS } from "@/server/http/rate-limit/buckets";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a refusal is over without any time that passes. */
async function isOver(refusal: Promise<void>): Promise<boolean> {
  let over = false;
  void refusal.then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return over;
}

describe("a late refusal", () => {
  it("comes after as many seconds as Retry-After says", async () => {
    const refusal = lateRefusals().hold("a", 2);
    expect(await isOver(refusal)).toBe(false);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(await isOver(refusal)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(refusal)).toBe(true);
  });

  it("is not late where a full bucket's calls of the operator wait already, until one of them is over", async () => {
    const refusals = lateRefusals();
    for (let i = 0; i < STAFF_CALLS.burst; i += 1) void refusals.hold("a", 1);
    expect(await isOver(refusals.hold("a", 1))).toBe(true);
    expect(await isOver(refusals.hold("b", 1))).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await isOver(refusals.hold("a", 1))).toBe(false);
  });
});
