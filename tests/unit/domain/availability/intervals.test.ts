import { describe, expect, it } from "vitest";
import { intersect, subtract, union } from "@/server/domain/availability/intervals";
import type { Instant } from "@/server/domain/time/instant";

/** `0-5 7-9` as intervals. */
const parsed = (text: string) =>
  text
    .split(" ")
    .filter(Boolean)
    .map((one) => {
      const [start = 0, end = 0] = one.split("-").map(Number);
      return { start: start as Instant, end: end as Instant };
    });
const written = (intervals: { start: number; end: number }[]) =>
  intervals.map(({ start, end }) => `${start}-${end}`).join(" ");

describe("the union of intervals", () => {
  it.each([
    ["", ""],
    ["7-9 0-5", "0-5 7-9"],
    ["0-5 5-7", "0-7"],
    ["0-5 3-4", "0-5"],
    ["3-8 0-5 8-9", "0-9"],
    ["4-4 6-5", ""],
    ["0-2 2-2 3-4", "0-2 3-4"],
    ["0-5 0-3 0-7", "0-7"],
  ])("of %j is %j", (given, expected) => {
    expect(written(union(parsed(given)))).toBe(expected);
  });

  it("leaves what it was given as it was", () => {
    const given = parsed("3-8 0-5");
    union(given);
    expect(written(given)).toBe("3-8 0-5");
  });
});

describe("the intersection of merged lists", () => {
  it.each([
    ["0-5", "", ""],
    ["0-5", "5-7", ""],
    ["0-5 7-9", "4-8", "4-5 7-8"],
    ["0-9", "1-2 3-4 8-12", "1-2 3-4 8-9"],
    ["0-5 6-9", "0-5 6-9", "0-5 6-9"],
  ])("%j and %j share %j", (one, other, expected) => {
    expect(written(intersect(parsed(one), parsed(other)))).toBe(expected);
    expect(written(intersect(parsed(other), parsed(one)))).toBe(expected);
  });
});

describe("the difference of merged lists", () => {
  it.each([
    ["0-5", "", "0-5"],
    ["", "0-5", ""],
    ["0-9", "2-3 5-7", "0-2 3-5 7-9"],
    ["0-9", "0-2 7-9", "2-7"],
    ["2-4", "0-9", ""],
    ["0-3 5-8", "2-6", "0-2 6-8"],
    ["0-3 5-8 10-12", "2-11", "0-2 11-12"],
    ["5-8", "0-1 2-5 8-9", "5-8"],
    ["0-3 5-8", "1-3 3-5", "0-1 5-8"],
  ])("%j without %j is %j", (from, taken, expected) => {
    expect(written(subtract(parsed(from), parsed(taken)))).toBe(expected);
  });
});
