import fc from "fast-check";
import { isRuleDay, ruleDays } from "@/server/domain/recurrence/days";
import { type FirstOccurrence, occurrenceSpan, occurrenceSpans } from "@/server/domain/recurrence/spans";
import { type Day, dayFromCivil } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toInstant, toLocal, type Zone } from "@/server/domain/time/zone";
import { daysByRRuleTemporal, daysNearChanges, momentByTemporal } from "@/tests/unit/recurrence/oracles";
import { sample, zones } from "@/tests/unit/recurrence/random-rules";
import { namedZone } from "@/tests/unit/time/named-zone";

const HALF_HOUR_MS = 1_800_000;
const MINUTE_MS = 60_000;
const END_OF_CHANGES = dayFromCivil(2060, 1, 1);

/** Compares the days of random rules with rrule-temporal's, the zones in turn. Throws at a difference. */
export function compareDays(rules: number) {
  const seen = { rules: 0, days: 0, empty: 0 };
  fc.assert(
    fc.property(sample, (one) => {
      const days = ruleDays(one.rule, one.first, one);
      const expected = daysByRRuleTemporal(one, zones[seen.rules % zones.length] ?? "Etc/UTC");
      expectSame(days, expected);
      seen.rules += 1;
      seen.days += days.length;
      seen.empty += days.length === 0 ? 1 : 0;
    }),
    { numRuns: rules },
  );
  return seen;
}

// Clocks are changed at night.
const minutes = fc.oneof(
  fc.integer({ min: 0, max: 16 }).map((quarter) => quarter * 15),
  fc.integer({ min: 0, max: 1439 }),
);

/**
 * Compares occurrences of random rules, each in all zones, with Temporal's "compatible": of each one beside a change
 * of the clocks and one elsewhere. Throws at a difference.
 */
export function compareInstants(rules: number) {
  const seen = { rules: 0, pairs: 0, instants: 0, gaps: 0, overlaps: 0 };
  const near = new Map(zones.map((tzid) => [tzid, daysNearChanges(tzid)]));
  fc.assert(
    fc.property(sample, minutes, fc.nat(), ({ rule, first, from, to }, ofDay, any) => {
      const days = ruleDays(rule, first, { from, to: Math.min(Math.max(to, from + 800), END_OF_CHANGES) as Day });
      seen.rules += 1;
      for (const tzid of zones) {
        const series = seriesAt(tzid, { first, minutes: ofDay, length: (any % 60) * HALF_HOUR_MS });
        const changing = days.filter((day) => near.get(tzid)?.has(day));
        const other = days.filter((day) => !near.get(tzid)?.has(day));
        const picked = [...pick(changing, any), ...pick(other, any)].sort((a, b) => a - b);
        for (const { at, local } of compareSpans(tzid, series, picked)) {
          const shows = (later: number) => toLocal(series.zone, (at + later) as Instant) === local;
          seen.gaps += shows(0) ? 0 : 1;
          seen.overlaps += shows(HALF_HOUR_MS) || shows(2 * HALF_HOUR_MS) ? 1 : 0;
        }
        seen.pairs += 1;
        seen.instants += picked.length;
      }
    }),
    { numRuns: rules },
  );
  return seen;
}

function pick(days: readonly Day[], any: number): readonly Day[] {
  return days.length === 0 ? [] : days.slice(any % days.length).slice(0, 1);
}

interface TimedSeries extends FirstOccurrence {
  zone: Zone;
  minutes: number;
}

/** A series that begins at a time of day, or after the gap where that day does not have it. */
function seriesAt(tzid: string, sent: { first: Day; minutes: number; length: number }): TimedSeries {
  const zone = namedZone(tzid);
  const starts = toInstant(zone, (utcMidnight(sent.first) + sent.minutes * MINUTE_MS) as LocalTime);
  const first = { allDay: false, starts, ends: (starts + sent.length) as Instant };
  const minutes = (toLocal(zone, starts) - utcMidnight(sent.first)) / MINUTE_MS;
  return { first, zone, firstDay: sent.first, minutes };
}

function compareSpans(tzid: string, series: TimedSeries, days: readonly Day[]) {
  const spans = occurrenceSpans(series, days);
  const expected = days.map((day) => momentByTemporal(tzid, day, series.minutes));
  expectSame(
    spans.map(({ starts }) => starts),
    expected,
  );
  expectSame(
    days.map((day) => occurrenceSpan(series, day).starts),
    expected,
  );
  const length = series.first.ends - series.first.starts;
  expectSame(
    spans.map(({ starts, ends }) => ends - starts),
    days.map(() => length),
  );
  return days.map((day, i) => ({
    at: expected[i] ?? Number.NaN,
    local: utcMidnight(day) + series.minutes * MINUTE_MS,
  }));
}

/** Compares days of sub-ranges with those of the whole, and `isRuleDay` with both. Throws at a difference. */
export function compareRanges(rules: number) {
  const seen = { rules: 0, ranges: 0, days: 0 };
  fc.assert(
    fc.property(sample, fc.nat(), ({ rule, first, from, to }, any) => {
      const whole = ruleDays(rule, first, { from: first, to });
      const middle = (from + (any % (to - from))) as Day;
      const inRange = (range: { from: number; to: number }) => whole.filter((d) => d >= range.from && d < range.to);
      for (const range of [
        { from, to },
        { from, to: middle },
        { from: middle, to },
      ]) {
        expectSame(ruleDays(rule, first, range), inRange(range));
      }
      const looked = Array.from({ length: Math.min(60, to - middle) }, (_, i) => (middle + i) as Day);
      expectSame(
        looked.filter((day) => isRuleDay(rule, first, day)),
        inRange({ from: middle, to: middle + looked.length }),
      );
      expectSame(
        whole.filter((day) => !isRuleDay(rule, first, day)),
        [],
      );
      seen.rules += 1;
      seen.ranges += 3;
      seen.days += looked.length + whole.length;
    }),
    { numRuns: rules },
  );
  return seen;
}

// vitest's expect takes most of the time when it is asked a million times.
function expectSame(found: readonly number[], expected: readonly number[]): void {
  if (found.length === expected.length && found.every((value, i) => value === expected[i])) return;
  throw new Error(`found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}
