import { expect, it } from "vitest";
import { retryTime } from "@/server/domain/channels/retry-time";

it("a receiver that responds gets five attempts at a time, one that doesn't gets one", () => {
  const retries = { count: 12, responseMs: 400 };
  expect(retryTime({ ...retries, isResponding: true })).toBe(1_200);
  expect(retryTime({ ...retries, isResponding: false })).toBe(4_800);
  expect(retryTime({ count: 12, responseMs: null, isResponding: true })).toBeNull();
});
