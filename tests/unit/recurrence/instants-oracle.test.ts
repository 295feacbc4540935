import { describe, expect, it } from "vitest";
import { compareInstants } from "@/tests/unit/recurrence/comparisons";
import { zones } from "@/tests/unit/recurrence/random-rules";

const RULES = 10_000;

describe("the times of random five-field rules", () => {
  it("are Temporal's 'compatible' in 12 zones, gaps and overlaps included", { timeout: 60_000 }, () => {
    const seen = compareInstants(RULES);
    process.stdout.write(`instants against Temporal: ${JSON.stringify(seen)}\n`);
    expect(seen.pairs).toBe(RULES * zones.length);
    expect(seen.instants).toBeGreaterThan(seen.pairs / 2);
    expect(Math.min(seen.gaps, seen.overlaps)).toBeGreaterThan(100);
  });
});
