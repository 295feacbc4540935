import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { sameSeries, seriesAsRead } from "@/server/domain/merge/same-series";
import { firstOf } from "@/server/domain/merge/to-ical-recurrence";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { seriesOccurrences } from "@/server/domain/recurrence/series";
import { formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { zone } from "@/server/domain/time/zone";
import { anySeries, anySingle, lines, read, written } from "./given-state";

const withoutRepetition = ({ ruleSeries: _, icalRecurrence: __, ...rest }: EventState) => rest;

describe("what is written and read again", () => {
  it("says the same, of an event without repetition", () => {
    fc.assert(
      fc.property(anySingle, (state) => {
        expect(read(written(state))).toEqual(state);
      }),
      { numRuns: 100 },
    );
  });

  it("says the same, of a series with skipped and changed days, and is known as our own", () => {
    fc.assert(
      fc.property(anySeries, ({ state }) => {
        const again = read(written(state));
        expect(withoutRepetition(again)).toEqual(withoutRepetition(state));
        expect(sameSeries(state, again)).toBe(true);
        expect(seriesAsRead(state, again)).toEqual(state.ruleSeries);
      }),
      { numRuns: 100 },
    );
  });

  it("has the occurrences of the series itself, to the instant", () => {
    fc.assert(
      fc.property(anySeries, ({ state, sample }) => {
        const range = { from: utcMidnight(sample.from), to: utcMidnight(sample.to) };
        const { icalRecurrence } = read(written(state));
        if (!state.ruleSeries || !icalRecurrence) throw new Error("not a series");
        const { tzid, ...given } = icalRecurrence;
        const expanded = expandIcal({ ...given, zone: tzid === null ? null : zone(tzid) }, range, {
          steps: 500_000,
        });
        const { skipped, changed, rule } = state.ruleSeries;
        const dayOf = (text: string) => parseDay(text) ?? sample.first;
        const own = seriesOccurrences(
          {
            rule,
            ...firstOf(state),
            skipped: skipped.map(dayOf),
            changed: changed.map((one) => ({ ...one, day: dayOf(one.day), span: one.span as never })),
          },
          range,
        );
        const shown = (all: readonly { day: number; starts: Instant; ends: Instant }[]) =>
          all.map(({ day, starts, ends }) => `${formatDay(day as never)} ${starts} ${ends}`).sort();
        expect(shown(expanded.occurrences)).toEqual(shown(own));
        expect(expanded.problems).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("written once more over itself changes nothing but its stamps", () => {
    fc.assert(
      fc.property(anySeries, ({ state }) => {
        const first = written(state);
        const again = written(state, { existing: first });
        expect(lines(again)).toEqual(lines(first));
      }),
      { numRuns: 100 },
    );
  });

  it("has no line over 75 octets", () => {
    fc.assert(
      fc.property(anySeries, ({ state }) => {
        for (const line of written(state).split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      }),
      { numRuns: 100 },
    );
  });
});
