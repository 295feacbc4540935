import { describe, expect, it } from "vitest";
import type { Params } from "@/components/dashboard/address";
import { deliveryFilters, isNarrow } from "@/components/dashboard/deliveries/filters";
import { cancelledWords, countsInWords, replayWords } from "@/components/dashboard/deliveries/words";

const none = { closed: 0, underWay: 0, takenBack: 0, changed: 0 };
const replay = { state: "done" as const, total: 219, retried: 219, leftOut: none };

describe("what is said of a retry of many", () => {
  it("is that it is retried when all were sent", () => {
    expect(replayWords(replay)).toEqual({ tone: "good", word: "Retried", counts: "219 of 219" });
  });

  it("counts those that were left out apart, and is not green", () => {
    expect(replayWords({ ...replay, retried: 180, leftOut: { ...none, closed: 30, underWay: 9 } })).toEqual({
      tone: "wait",
      word: "Retried",
      counts: "180 of 219, left out 30 channel closed, 9 an attempt under way",
    });
    expect(replayWords({ ...replay, retried: 217, leftOut: { ...none, takenBack: 1, changed: 1 } }).counts).toBe(
      "217 of 219, left out 1 taken back, 1 no longer matching",
    );
  });

  it("tells before how many had arrived", () => {
    expect(countsInWords({ delivered: 342, failed: 60, pending: 41, cancelled: 0 })).toBe(
      "342 of these were delivered already and will be sent again. The others: 60 failed, 41 pending.",
    );
    expect(countsInWords({ delivered: 2, failed: 0 })).toBe(
      "All of these were delivered already and will be sent again.",
    );
    expect(countsInWords({ delivered: 0, failed: 3 })).toBe("3 failed.");
  });

  it("needs more than a time to narrow it", () => {
    const narrow = (params: Params) => isNarrow(deliveryFilters(params, Date.UTC(2026, 10, 21)));
    expect([{}, { range: "24h" }, { from: "2026-11-20T00:00", open: "whd_1" }].map(narrow)).toEqual([
      false,
      false,
      false,
    ]);
    expect([{ state: "failed" }, { late: "true" }, { id: "chn_1" }].map(narrow)).toEqual([true, true, true]);
  });
});

describe("what is said of a cancelled delivery", () => {
  it("is the state that came back", () => {
    expect(cancelledWords("cancelled", false)).toBe("The delivery is cancelled");
    expect(cancelledWords("delivered", true)).toMatch(/not sent again.*is delivered/);
    expect(cancelledWords("pending", true)).toMatch(/its next attempt/);
  });
});
