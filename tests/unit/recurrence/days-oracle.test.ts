import { describe, expect, it } from "vitest";
import { compareDays, compareRanges } from "@/tests/unit/recurrence/comparisons";

const RULES = 10_000;
const RANGES = 4_000;

describe("the days of random five-field rules", () => {
  it("are rrule-temporal's", { timeout: 60_000 }, () => {
    const seen = compareDays(RULES);
    process.stdout.write(`local dates against rrule-temporal: ${JSON.stringify(seen)}\n`);
    expect(seen.rules).toBe(RULES);
    expect(seen.days).toBeGreaterThan(2 * RULES);
    expect(seen.empty).toBeLessThan(RULES / 2);
  });

  it("are the same in every part of a range, one by one, and by count", { timeout: 60_000 }, () => {
    const seen = compareRanges(RANGES);
    process.stdout.write(`ranges within ranges: ${JSON.stringify(seen)}\n`);
    expect(seen.rules).toBe(RANGES);
  });
});
