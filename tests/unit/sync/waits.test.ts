import { expect, it } from "vitest";
import { failedPushWait, failedSyncWait, pollWait } from "@/server/sync/waits";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

it("polls are spread by a tenth of their interval to both sides", () => {
  expect(pollWait(MINUTE, () => 0)).toBe(54 * SECOND);
  expect(pollWait(MINUTE, () => 0.5)).toBe(MINUTE);
  expect(pollWait(MINUTE, () => 1)).toBe(66 * SECOND);
});

it("a sync that fails waits for the poll interval, then twice as long each time, up to an hour", () => {
  const waits = [1, 2, 3, 6, 7, 8, 500].map((failures) => failedSyncWait(MINUTE, failures, null) / MINUTE);
  expect(waits).toEqual([1, 2, 4, 32, 60, 60, 60]);
});

it("a push that fails waits for 5 seconds, then twice as long each time, up to half an hour", () => {
  const waits = [1, 2, 3, 9, 10, 500].map((attempts) => failedPushWait(attempts, null) / SECOND);
  expect(waits).toEqual([5, 10, 20, 1280, 1800, 1800]);
});

it("a provider that asks for more time is given it, up to a day", () => {
  expect(failedSyncWait(MINUTE, 1, 10 * MINUTE)).toBe(10 * MINUTE);
  expect(failedSyncWait(MINUTE, 4, SECOND)).toBe(8 * MINUTE);
  expect(failedPushWait(1, 10 * MINUTE)).toBe(10 * MINUTE);
  expect(failedPushWait(1, Number.MAX_SAFE_INTEGER)).toBe(24 * 60 * MINUTE);
});
