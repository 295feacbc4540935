import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EARLIEST, formatAtOffset, formatInstant, type Instant, LATEST } from "@/server/domain/time/instant";
import { parseTime } from "@/server/domain/time/rfc3339";

const anyInstant = fc.integer({ min: EARLIEST, max: LATEST }).map((n) => n as Instant);

describe("an instant in answers", () => {
  it.each([
    [0, "1970-01-01T00:00:00Z"],
    [1_767_323_045_999, "2026-01-02T03:04:05Z"],
    [-1, "1969-12-31T23:59:59Z"],
    [EARLIEST, "0001-01-01T00:00:00Z"],
    [LATEST, "9999-12-31T23:59:59Z"],
  ])("%i is %s: whole seconds, fractions cut off", (instant, text) => {
    expect(formatInstant(instant as Instant)).toBe(text);
  });

  it("is written as JavaScript writes it, in the years 1 to 9999", () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const text = `${new Date(instant).toISOString().slice(0, 19)}Z`;
        expect(formatInstant(instant)).toBe(text);
        expect(formatInstant(instant)).toBe(text);
      }),
      { numRuns: 5000 },
    );
  });

  it("is read back as the same second", () => {
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: -1439, max: 1439 }), (instant, minutes) => {
        const second = Math.floor(instant / 1000);
        expect(parseTime(formatInstant(instant))).toEqual({ micros: second * 1_000_000 });
        expect(parseTime(formatAtOffset(instant, minutes))).toEqual({ micros: second * 1_000_000 });
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [1_767_323_045_000, 60, "2026-01-02T04:04:05+01:00"],
    [1_767_323_045_000, -570, "2026-01-01T17:34:05-09:30"],
    [1_767_323_045_000, 0, "2026-01-02T03:04:05Z"],
    [LATEST, 60, "9999-12-31T23:59:59Z"],
    [EARLIEST, -60, "0001-01-01T00:00:00Z"],
  ])("%i at %i minutes east is %s", (instant, minutes, text) => {
    expect(formatAtOffset(instant as Instant, minutes)).toBe(text);
  });
});
