import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Instant } from "@/server/domain/time/instant";
import { type Moment, readMoment, span, spanWords } from "@/server/domain/time/moment";
import { namedZone } from "./named-zone";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The local times that a zone skips: from the first, for so many minutes. */
const gaps: [string, string, number][] = [
  ["Europe/Zurich", "2027-03-28T02:00:00", 60],
  ["America/New_York", "2027-03-14T02:00:00", 60],
  ["Australia/Lord_Howe", "2026-10-04T02:00:00", 30],
  ["Antarctica/Troll", "2026-03-29T01:00:00", 120],
  ["Asia/Beirut", "2026-03-29T00:00:00", 60],
  ["America/Santiago", "2026-09-06T00:00:00", 60],
  ["Pacific/Apia", "2011-12-30T00:00:00", 1440],
];

const written = (local: number) => new Date(local).toISOString().slice(0, 19);
const localOf = (text: string) => Date.parse(`${text}Z`);

function momentOf(text: string, tzid: string | null): Moment {
  const read = readMoment(text, tzid === null ? null : namedZone(tzid));
  if (!read) throw new Error(`${text} cannot be read`);
  return read;
}

function spanOf(start: Moment, end: Moment): { starts: Instant; ends: Instant } {
  const read = span(start, end);
  if (typeof read === "string") throw new Error(read);
  return read;
}

describe("a local time that a zone skips", () => {
  it.each(gaps)(
    "in %s on %s shifts by the gap, and the event is as long as it was written",
    (tzid, begins, minutes) => {
      const gap = minutes * MINUTE;
      fc.assert(
        fc.property(fc.nat(minutes - 1), fc.nat(3 * 1440), (into, long) => {
          const start = localOf(begins) + into * MINUTE;
          const read = spanOf(momentOf(written(start), tzid), momentOf(written(start + long * MINUTE), tzid));
          expect(read.ends - read.starts).toBe(long * MINUTE);
          expect(momentOf(written(start + gap), tzid)).toMatchObject({ at: read.starts });
        }),
      );
    },
  );

  it.each(gaps)("as the end alone in %s on %s is later by the gap", (tzid, begins, minutes) => {
    for (let into = 0; into < minutes; into += 7) {
      const end = localOf(begins) + into * MINUTE;
      const read = spanOf(momentOf(written(localOf(begins) - MINUTE), tzid), momentOf(written(end), tzid));
      expect(read.ends - read.starts).toBe((into + 1) * MINUTE);
    }
  });

  it.each(gaps)("beside other times in %s on %s changes nothing about them", (tzid, begins, minutes) => {
    const outside = fc
      .integer({ min: -3 * 1440, max: 3 * 1440 })
      .map((at) => localOf(begins) + (at < 0 ? at : at + minutes) * MINUTE);
    fc.assert(
      fc.property(outside, outside, (one, other) => {
        const [start, end] = [
          momentOf(written(Math.min(one, other)), tzid),
          momentOf(written(Math.max(one, other)), tzid),
        ];
        if (start.kind === "day" || end.kind === "day" || end.at < start.at) return;
        expect(spanOf(start, end)).toMatchObject({ starts: start.at, ends: end.at });
      }),
    );
  });

  it("leaves an end with an offset, or in another zone, where it is", () => {
    const start = momentOf("2027-03-28T02:30:00", "Europe/Zurich");
    for (const end of [
      momentOf("2027-03-28T02:00:00Z", null),
      momentOf("2027-03-28T04:00:00+02:00", "Europe/Zurich"),
      momentOf("2027-03-28T11:00:00", "Asia/Tokyo"),
    ]) {
      expect(spanOf(start, end)).toMatchObject({
        starts: Date.parse("2027-03-28T01:30:00Z"),
        ends: Date.parse("2027-03-28T02:00:00Z"),
      });
    }
  });

  it("is named where the end is before what it becomes", () => {
    const start = momentOf("2027-03-28T02:45:00", "Europe/Zurich");
    const end = momentOf("2027-03-28T03:15:00+02:00", null);
    expect(span(start, end)).toBe("end_before_start");
    expect(spanWords("end_before_start", start)).toBe(
      "must not be before start: on 2027-03-28 the clocks skip 02:45:00, and it is read as 03:45:00",
    );
    expect(span(start, momentOf("2027-03-28T02:44:59", "Europe/Zurich"))).toBe("end_before_start");
    expect(spanWords("end_before_start", momentOf("2027-03-28T03:45:00", "Europe/Zurich"))).toBe(
      "must not be before start",
    );
  });
});

it("a span over 24 hours is long by its instants", () => {
  const tzid = "Europe/Zurich";
  const [start, end] = [momentOf("2027-03-28T02:30:00", tzid), momentOf("2027-03-29T02:30:00", tzid)];
  expect(span(start, end)).toMatchObject({ isLong: false });
  expect(spanOf(start, end).ends - spanOf(start, end).starts).toBe(DAY);
});
