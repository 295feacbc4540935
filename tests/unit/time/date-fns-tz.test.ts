import { fromZonedTime } from "date-fns-tz";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { offsetAt, toInstant, zone } from "@/server/domain/time/zone";

const names = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "America/Santiago",
  "Pacific/Kiritimati",
];
const DAY_MS = 86_400_000;

it("a local time far from any change of the clocks is the instant that date-fns-tz gives", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }).map((ms) => Math.floor(ms / 1000) * 1000),
      (name, ms) => {
        const found = zone(name);
        if (!found) throw new Error(`${name} is not known`);
        const ours = toInstant(found, ms as LocalTime);
        const near = [-2, 2].map((days) => offsetAt(found, (ours + days * DAY_MS) as typeof ours));
        fc.pre(near[0] === near[1]);
        expect(ours).toBe(fromZonedTime(new Date(ms).toISOString().slice(0, 19), name).getTime());
      },
    ),
    { numRuns: 2_000 },
  );
});
