import { isDeepStrictEqual } from "node:util";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { isSameRule, ruleFieldsOf } from "@/server/domain/merge/rule-fields";
import { daysOfSeries, localDay } from "@/server/domain/merge/series-days";
import { seriesClock } from "@/server/domain/merge/series-shift";
import { firstOf } from "@/server/domain/merge/to-ical-recurrence";
import { whole } from "@/server/domain/pieces";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { type DateText, seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";

type Repeating = Pick<EventState, "span" | "tzid" | "icalRecurrence">;

/** Compares the provider's series of two events, regardless of how their rule, dates and skipped days are written. */
export function isSameIcal(own: Repeating, other: Repeating): boolean {
  const [one, another] = [own.icalRecurrence, other.icalRecurrence];
  if (!one || !another || one.allDay !== another.allDay || one.start !== another.start) return false;
  if (seriesClock(one).zone !== seriesClock(another).zone || !isDeepStrictEqual(own.span, other.span)) return false;
  return (
    isSameRules(one, own, another, other) &&
    isDeepStrictEqual(datesOf(one, one.rdates), datesOf(another, another.rdates)) &&
    isSameSkipped(one, another) &&
    isDeepStrictEqual(changed(one), changed(another))
  );
}

function isSameRules(
  one: StoredIcalRecurrence,
  own: Repeating,
  another: StoredIcalRecurrence,
  other: Repeating,
): boolean {
  if (!isDeepStrictEqual(one.exrules, another.exrules)) return false;
  if (isDeepStrictEqual(one.rrules, another.rrules)) return true;
  const [rule, read] = [ruleFieldsOf(one, firstOf(own)), ruleFieldsOf(another, firstOf(other))];
  return rule !== null && read !== null && isSameRule(rule, read);
}

function datesOf(series: StoredIcalRecurrence, dates: readonly DateText[]): string[] {
  const clock = seriesClock(series);
  const texts = dates.map(({ text }) => {
    const date = seriesDate(text, null, { clock, start: series.start });
    return date && !date.lasts && date.wholeDay === null ? `${instantOn(clock, date.local)}` : text;
  });
  return [...new Set(texts)].sort();
}

/**
 * Compares skipped occurrences. Skipping one that doesn't exist, such as at a series' old time, makes no difference.
 */
function isSameSkipped(one: StoredIcalRecurrence, another: StoredIcalRecurrence): boolean {
  const [some, others] = [skippedStarts(one), skippedStarts(another)];
  const alone = [...some, ...others].filter(([at]) => !some.has(at) || !others.has(at)).map(([, local]) => local);
  if (alone.length === 0) return true;
  const starts = new Set(alone.map((local) => instantOn(seriesClock(one), local)));
  const rules = { ...one, exdates: [], overrides: [] };
  const days = whole(daysOfSeries(rules, [...new Set(alone.map(localDay))], { steps: SERIES_STEPS }));
  return ![...days.values()].some(({ occurrences }) => occurrences.some((occurrence) => starts.has(occurrence.starts)));
}

/** Lists the skipped instants of a series, each with its local time. An EXDATE for a whole day skips its usual time. */
function skippedStarts({ exdates, overrides, ...series }: StoredIcalRecurrence): Map<Instant, LocalTime> {
  const clock = seriesClock(series);
  const dates = exdates.flatMap(({ text }) => seriesDate(text, null, { clock, start: series.start })?.local ?? []);
  const cancelled = overrides.flatMap((one) => (one.cancelled && !one.following ? [one.recurrenceId] : []));
  return new Map([...dates, ...cancelled].map((local) => [instantOn(clock, local), local]));
}

function changed({ overrides }: StoredIcalRecurrence): object[] {
  const living = overrides.filter(({ cancelled, following }) => !cancelled || following);
  const plain = living.map(({ recurrenceId, starts, ends, cancelled = false, following = false, fields }) => {
    return { recurrenceId, starts, ends, cancelled, following, fields };
  });
  return plain.sort((a, b) => a.recurrenceId - b.recurrenceId);
}
