import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { firstOf } from "@/server/domain/merge/to-ical-recurrence";
import { seriesOccurrences } from "@/server/domain/recurrence/series";
import { type Day, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toInstant, toLocal } from "@/server/domain/time/zone";
import { secondEngine } from "@/tests/unit/recurrence/rfc5545/second-engine";
import { anySeries, read, written } from "./given-state";

const MOST = 60;
const DAY_MS = 86_400_000;

/** Starts by ical.js, which knows time zones only from the VTIMEZONE beside the event (its ends it counts on the clock). */
function byIcalJs(ics: string): number[] {
  const events = new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
  const master = events.find((one) => !one.isRecurrenceException());
  if (!master) throw new Error("no master");
  for (const one of events) if (one.isRecurrenceException()) master.relateException(one);
  const iterator = master.iterator();
  const found: number[] = [];
  for (let next = iterator.next(); next && found.length < MOST; next = iterator.next()) {
    found.push(master.getOccurrenceDetails(next).startDate.toUnixTime() * 1000);
  }
  return found;
}

function byUs(state: EventState, to: Instant): number[] {
  if (!state.ruleSeries) throw new Error("no series");
  const { skipped, changed, rule } = state.ruleSeries;
  const first = firstOf(state);
  const dayOfText = (text: string) => parseDay(text) ?? first.firstDay;
  const series = {
    rule,
    ...first,
    skipped: skipped.map(dayOfText),
    changed: changed.map((one) => ({
      ...one,
      day: dayOfText(one.day),
      span: one.span && { ...one.span, starts: one.span.starts as Instant, ends: one.span.ends as Instant },
    })),
  };
  const all = seriesOccurrences(series, { from: (state.span.starts - 400 * DAY_MS) as Instant, to });
  return all.slice(0, MOST).map(({ starts }) => starts);
}

/** Whether a local time of the series is one that clocks skip or show twice on some day: readers differ there. */
function isDoubtful(state: EventState, days: number): boolean {
  const { zone: on, firstDay } = firstOf(state);
  if (!on) return false;
  const ofDay = toLocal(on, state.span.starts) - utcMidnight(firstDay);
  return Array.from({ length: days }, (_, i) => utcMidnight((firstDay + i) as Day) + ofDay).some((local) => {
    const at = toInstant(on, local as LocalTime);
    return (
      toLocal(on, at) !== local ||
      toLocal(on, (at + 3_600_000) as Instant) === local ||
      toLocal(on, (at + 1_800_000) as Instant) === local
    );
  });
}

describe("what is written", () => {
  it("has the same occurrences in ical.js, by its VTIMEZONE alone", () => {
    let compared = 0;
    fc.assert(
      fc.property(anySeries, ({ state }) => {
        if (isDoubtful(state, 9 * 366)) return;
        const to = (state.span.starts + 9 * 366 * DAY_MS) as Instant;
        const [theirs, ours] = [byIcalJs(written(state)), byUs(state, to)];
        const least = Math.min(theirs.length, ours.length);
        compared++;
        expect(theirs.slice(0, least)).toEqual(ours.slice(0, least));
        if (ours.length < MOST && state.ruleSeries?.rule.count === null && state.ruleSeries.rule.until !== null) {
          expect(theirs.length).toBe(ours.length);
        }
      }),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(100);
  }, 60_000);

  it("has a rule that rrule-temporal reads as the series' own days", () => {
    fc.assert(
      fc.property(anySeries, ({ state }) => {
        // It keeps Morocco's summer offset through January 2029, where tzdata has it end on the 14th.
        if (!state.ruleSeries || state.span.allDay || state.tzid === "Africa/Casablanca") return;
        if (isDoubtful(state, 3 * 366)) return;
        const { icalRecurrence } = read(
          written({ ...state, ruleSeries: { ...state.ruleSeries, skipped: [], changed: [] } }),
        );
        const to = (state.span.starts + 3 * 366 * DAY_MS) as Instant;
        const asked = { start: icalRecurrence?.start ?? 0, to, tzid: state.tzid ?? "UTC" };
        const theirs = secondEngine({ rule: icalRecurrence?.rrules[0] ?? "", ...asked });
        const ours = byUs({ ...state, ruleSeries: { ...state.ruleSeries, skipped: [], changed: [] } }, to);
        expect(theirs.slice(0, ours.length)).toEqual(ours);
        if (ours.length < MOST) expect(theirs.filter((at) => at < to)).toEqual(ours);
      }),
      { numRuns: 150 },
    );
  });
});
