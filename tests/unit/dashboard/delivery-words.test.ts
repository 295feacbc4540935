import { describe, expect, it } from "vitest";
import type { Params } from "@/components/dashboard/address/address";
import { replayWords, timeLeft } from "@/components/dashboard/deliveries/replay-words";
import {
  attemptWords,
  cancelledWords,
  causeWords,
  previewWords,
  shownState,
} from "@/components/dashboard/deliveries/words";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { deliveryList, isNarrow } from "@/server/services/staff/lists/deliveries";

const none = { closed: 0, underWay: 0, takenBack: 0, changed: 0 };
const replay = { state: "done" as const, total: 219, retried: 219, leftOut: none };

it("the state of a pending delivery says what it waits for", () => {
  const pending = { state: "pending" as const, nextAttemptAt: "2026-11-29T10:00:00.000Z" };
  expect(shownState({ ...pending, retrying: false }).word).toBe("Queued");
  expect(shownState({ ...pending, retrying: true }).word).toBe("Retrying");
  // As of a paused endpoint.
  expect(shownState({ ...pending, retrying: true, nextAttemptAt: null }).word).toBe("Held");
  expect(shownState({ state: "failed", retrying: false, nextAttemptAt: null }).word).toBe("Failed");
});

describe("what is said of a retry of many", () => {
  it("is that it is retried when all were sent", () => {
    expect(replayWords(replay)).toEqual({ tone: "good", word: "Retried", counts: "219 of 219" });
  });

  it("counts those that were left out apart, and is not green", () => {
    expect(replayWords({ ...replay, retried: 180, leftOut: { ...none, closed: 30, underWay: 9 } })).toEqual({
      tone: "wait",
      word: "Retried",
      counts: "180 of 219; skipped: 30 channel closed, 9 already in progress",
    });
    expect(replayWords({ ...replay, retried: 217, leftOut: { ...none, takenBack: 1, changed: 1 } }).counts).toBe(
      "217 of 219; skipped: 1 canceled, 1 no longer matching",
    );
  });

  it("tells before how many had arrived", () => {
    const words = (states: Parameters<typeof previewWords>[0]["states"]) => previewWords({ states, closed: 0 });
    expect(words({ delivered: 342, failed: 60, pending: 41, cancelled: 0 })).toBe(
      "342 of them were already delivered and will be sent again. The others: 60 failed, 41 waiting.",
    );
    expect(words({ delivered: 2, failed: 0 })).toBe("All of them were already delivered and will be sent again.");
    expect(words({ pending: 12, failed: 3 })).toBe("12 waiting, 3 failed.");
    expect(words({})).toBe("No deliveries match.");
  });

  it("tells before how many can't be sent", () => {
    expect(previewWords({ states: {}, closed: 4 })).toBe("None can be sent: their channels are closed.");
    expect(previewWords({ states: {}, closed: 1 })).toBe("It can’t be sent: its channel is closed.");
    expect(previewWords({ states: { failed: 2 }, closed: 1 })).toBe(
      "2 failed. 1 more can’t be sent: its channel is closed.",
    );
  });

  it("estimates from its pace how long it still takes", () => {
    const createdAt = "2026-11-21T10:00:00.000Z";
    const soon = (seconds: number) => Date.parse(createdAt) + seconds * 1_000;
    expect(timeLeft({ done: 20, total: 80, createdAt }, soon(10))).toBe(30_000);
    expect([0, 80].map((done) => timeLeft({ done, total: 80, createdAt }, soon(10)))).toEqual([null, null]);
  });

  it("needs more than a time to narrow it", () => {
    const narrow = (params: Params) => isNarrow(queriedFilters(deliveryList, params, Date.UTC(2026, 10, 21)));
    expect([{}, { range: "24h" }, { from: "2026-11-20T00:00", open: "whd_1" }].map(narrow)).toEqual([
      false,
      false,
      false,
    ]);
    expect([{ state: "failed" }, { late: "true" }, { id: "chn_1" }].map(narrow)).toEqual([true, true, true]);
  });
});

describe("what is said of an attempt that ended", () => {
  it("is its number, what it came to, and how long it took", () => {
    const attempt = { number: 7, status: 500, errorClass: null, durationMs: 18 };
    expect(attemptWords(attempt)).toBe("Attempt 7 failed: 500 in 18 ms");
    expect(attemptWords({ ...attempt, status: 204 })).toBe("Attempt 7 delivered: 204 in 18 ms");
    expect(attemptWords({ ...attempt, status: null, errorClass: "timeout", durationMs: 5_000 })).toBe(
      "Attempt 7 failed: timed out in 5.00 s",
    );
  });
});

describe("what is said to have triggered a delivery", () => {
  it("is a test, or what its type says", () => {
    expect(causeWords({ type: "change", test: true })).toBe("A test event");
    expect(causeWords({ type: "change", test: false })).toBe("Change by others");
    expect(causeWords({ type: "verification", test: false })).toBe("Creation of the channel");
  });
});

describe("what is said of a cancelled delivery", () => {
  it("is the state that came back", () => {
    expect(cancelledWords("cancelled", false)).toBe("Delivery canceled");
    expect(cancelledWords("delivered", true)).toBe("Retry canceled. The delivery is still delivered.");
    expect(cancelledWords("pending", true)).toBe("Retry canceled. The next scheduled attempt is unchanged.");
  });
});
