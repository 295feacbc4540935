import { z } from "zod";
import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { exceptionsOf, seriesOf, storedSeries, withRepliesOf } from "@/server/domain/events/rule-series";
import { changeIcalDay } from "@/server/domain/merge/change-ical-day";
import { isRuleDay } from "@/server/domain/recurrence/days";
import { type Change, type Exceptions, saysAnything } from "@/server/domain/recurrence/exceptions";
import { type Day, dayFault, parseDay } from "@/server/domain/time/day";
import { refused } from "@/server/services/fields";
import { invalid } from "@/server/services/refusal";

/** `occurrence_date`: the original day of an occurrence. */
export const occurrenceDay = z
  .string()
  .transform((value, { issues }): Day => {
    const day = parseDay(value);
    if (day !== null) return day;
    issues.push(refused(value, { key: "errors.invalid" }, dayFault(value, "must be a date such as 2026-11-21")));
    return z.NEVER;
  })
  .meta({ format: "date", description: "The occurrence's original day, in the event's time zone." });

/** What becomes of one day of a series. */
type DayChange = { skip: true } | Omit<Change, "day">;

/**
 * Changes a series so that one of its days is skipped, or changed in place of whatever was said of that day before. It
 * does so also for a series that others gave another rule. Throws 422 on occurrence_date: not_recurring for a single
 * event, not_an_occurrence for a day that the series does not have.
 */
export function changeSeries(state: EventState, day: Day, what: DayChange): EventState {
  if (state.ruleSeries) return changeRuleSeries(state, state.ruleSeries, day, what);
  if (state.icalRecurrence) return changeIcalSeries(state, state.icalRecurrence, day, what);
  const description = "occurrence_date is not supported: the event is not recurring";
  throw invalid({ path: ["occurrence_date"], key: "errors.not_recurring", description });
}

function notAnOccurrence() {
  const description = "occurrence_date is not an occurrence of the series";
  return invalid({ path: ["occurrence_date"], key: "errors.not_an_occurrence", description });
}

function changeIcalSeries(state: EventState, series: StoredIcalRecurrence, day: Day, what: DayChange): EventState {
  const icalRecurrence = changeIcalDay({ state, series, day }, what);
  if (!icalRecurrence) throw notAnOccurrence();
  // Others may have made more exceptions than applications may.
  const isMore = (name: "exdates" | "overrides") =>
    icalRecurrence[name].length > Math.max(MOST_EXCEPTIONS, series[name].length);
  if (isMore("exdates") || isMore("overrides")) throw tooManyExceptions();
  return { ...state, icalRecurrence };
}

function changeRuleSeries(state: EventState, series: RuleSeries, day: Day, what: DayChange): EventState {
  const { rule, firstDay } = seriesOf(series, state);
  if (!isRuleDay(rule, firstDay, day)) throw notAnOccurrence();
  const { skipped, changed } = exceptionsOf(series);
  const others = {
    skipped: skipped.filter((other) => other !== day),
    changed: changed.filter((other) => other.day !== day),
  };
  const exceptions =
    "skip" in what
      ? { ...others, skipped: [...others.skipped, day] }
      : { ...others, changed: [...others.changed, ...[{ day, ...what }].filter(saysAnything)] };
  refuseExcess(exceptions);
  const ruleSeries = storedSeries(series.rules[0] ?? {}, rule, exceptions);
  return { ...state, ruleSeries: withRepliesOf(series, ruleSeries, { first: firstDay }) };
}

/** As many days as the longest count, and texts for all of them: each write reads and writes all exceptions (ADR 10). */
const MOST_EXCEPTIONS = 730;
const MOST_TEXT = 4_000_000;

function refuseExcess({ skipped, changed }: Exceptions): void {
  const lengths = changed.flatMap(({ texts }) => Object.values(texts)).map((text) => text.length);
  const isTooMuch = lengths.reduce((sum, length) => sum + length, 0) > MOST_TEXT;
  if (Math.max(skipped.length, changed.length) > MOST_EXCEPTIONS || isTooMuch) throw tooManyExceptions();
}

function tooManyExceptions() {
  const description = `occurrence_date exceeds the limit: a series can have ${MOST_EXCEPTIONS} skipped and ${MOST_EXCEPTIONS} changed days, with ${MOST_TEXT} characters in total`;
  return invalid({ path: ["occurrence_date"], key: "errors.too_big", description });
}
