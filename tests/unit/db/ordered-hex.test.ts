import { afterEach, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { orderedHex, orderedUuid, timeOfOrderedHex } from "@/server/db/ordered-hex";

const COUNT = 20_000;

afterEach(() => {
  context.clock = undefined;
});

function clockAt<Made>(ms: number, make: () => Made): Made {
  context.clock = { now: () => ms, monotonic: () => 0 };
  return make();
}

describe("ids in the order of their time", () => {
  it("have 24 hex digits, and none comes twice in one millisecond", () => {
    const ids = clockAt(1_000, () => Array.from({ length: COUNT }, orderedHex));
    expect(ids.every((id) => /^0000000003e8[0-9a-f]{12}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(COUNT);
  });

  it("sort by the time of their making, which they tell", () => {
    const times = [0, 9, 10, 255, 1_800_000_000_000, 1_800_000_000_001];
    const ids = times.map((ms) => clockAt(ms, orderedHex));
    expect([...ids].sort()).toEqual(ids);
    expect(ids.map(timeOfOrderedHex)).toEqual(times);
  });

  it("are UUIDs of version 7 and of RFC 9562's variant", () => {
    const ids = Array.from({ length: COUNT }, () => orderedUuid(Date.UTC(2026, 10, 21)));
    expect(ids.every((id) => /^01a1fb67-1800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(true);
    expect(new Set(ids.map((id) => id[19])).size).toBe(4);
    expect(new Set(ids).size).toBe(COUNT);
  });
});
