import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { formatZoned, offsetAt, toInstant, toLocal } from "@/server/domain/time/zone";
import { namedZone } from "@/tests/unit/time/named-zone";

const HOUR_MS = 3_600_000;
// Where clocks did something out of the ordinary; the years of every zone at once would take a minute.
const peculiar =
  `Africa/Cairo Africa/Casablanca Africa/El_Aaiun Africa/Monrovia America/Asuncion America/Caracas America/Havana
America/New_York America/Nuuk America/Recife America/Santiago America/Scoresbysund America/St_Johns Antarctica/Casey
Antarctica/Troll Asia/Amman Asia/Beirut Asia/Dhaka Asia/Gaza Asia/Hebron Asia/Kathmandu Asia/Kolkata Asia/Pyongyang Asia/Tehran
Atlantic/Azores Australia/Lord_Howe Australia/Sydney Europe/Berlin Europe/Dublin Europe/Istanbul Europe/Lisbon Europe/London
Europe/Moscow Europe/Volgograd Pacific/Apia Pacific/Chatham Pacific/Easter Pacific/Fiji Pacific/Kiritimati
Pacific/Kwajalein`.split(/\s+/);

const within = (from: string, to: string) => fc.integer({ min: Date.parse(from), max: Date.parse(to) });
const modern = within("1970-01-01T00:00:00Z", "2100-12-31T23:59:59Z");
const aZone = fc.constantFrom(...peculiar);

/** Instants within three hours of a change of the zone's clocks, which random ones seldom meet. */
const nearAChange = fc
  .tuple(aZone, modern, fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }))
  .map(([name, time, distance]): [string, number] => {
    const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(name);
    const change = zoned.getTimeZoneTransition("next") ?? zoned.getTimeZoneTransition("previous") ?? zoned;
    return [name, change.epochMilliseconds + distance];
  });

function agreesOnInstant([name, time]: [string, number]) {
  const zone = namedZone(name);
  const expected = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(name);
  expect(offsetAt(zone, time as Instant)).toBe(expected.offsetNanoseconds / 1e9);
  expect(toLocal(zone, time as Instant)).toBe(time + expected.offsetNanoseconds / 1e6);
}

function agreesOnLocalTime([name, time]: [string, number]) {
  const plain = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO("UTC").toPlainDateTime();
  const expected = plain.toZonedDateTime(name, { disambiguation: "compatible" }).epochMilliseconds;
  expect(toInstant(namedZone(name), time as LocalTime)).toBe(expected);
}

describe("compared with Temporal", () => {
  it("every offset of 1970 to 2100 is the same", () => {
    fc.assert(fc.property(fc.tuple(aZone, modern), agreesOnInstant), { numRuns: 20_000 });
  });

  it("every local time of 1970 to 2100 is the same instant ('compatible')", () => {
    fc.assert(fc.property(fc.tuple(aZone, modern), agreesOnLocalTime), { numRuns: 20_000 });
  });

  it("offsets and local times are the same around changes of the clocks", () => {
    fc.assert(
      fc.property(nearAChange, ([name, time]) => {
        agreesOnInstant([name, time]);
        agreesOnLocalTime([name, toLocal(namedZone(name), time as Instant)]);
        // What clocks would show that had not been changed: in a gap, nobody's time.
        agreesOnLocalTime([name, time + offsetAt(namedZone(name), (time - 3 * HOUR_MS) as Instant) * 1000]);
      }),
      { numRuns: 4000 },
    );
  });

  it("all zones are the same in all years", () => {
    const anyZone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const anyTime = fc.oneof(
      within("1900-01-01T00:00:00Z", "2100-12-31T00:00:00Z"),
      within("0001-01-03T00:00:00Z", "9999-12-29T00:00:00Z"),
    );
    fc.assert(
      fc.property(fc.tuple(anyZone, anyTime), (sample) => {
        agreesOnInstant(sample);
        agreesOnLocalTime(sample);
      }),
      { numRuns: 1500 },
    );
  });

  it("a time written with an offset denotes its instant, to the second", () => {
    fc.assert(
      fc.property(aZone, modern, (name, time) => {
        const text = formatZoned(time as Instant, namedZone(name));
        expect(Temporal.Instant.from(text).epochMilliseconds).toBe(Math.floor(time / 1000) * 1000);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
        expect(text).not.toMatch(/[+-]00:00$/);
      }),
      { numRuns: 3000 },
    );
  });
});
