import type { OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { localDay } from "@/server/domain/merge/series-days";
import { seriesClock, usualSpan } from "@/server/domain/merge/series-shift";
import type { Change, Exceptions } from "@/server/domain/recurrence/exceptions";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import { type Day, formatDay } from "@/server/domain/time/day";

/** The exceptions of a provider's series. */
export type IcalExceptions = Pick<StoredIcalRecurrence, "exdates" | "overrides">;

/**
 * Groups the exceptions of single days of a provider's series by day, without those that apply to all days after them.
 */
export function icalExceptionsByDay(series: StoredIcalRecurrence): Map<string, IcalExceptions> {
  const byDay = new Map<string, { exdates: { text: string }[]; overrides: IcalExceptions["overrides"][number][] }>();
  const of = (day: Day) => {
    const text = formatDay(day);
    const found = byDay.get(text) ?? { exdates: [], overrides: [] };
    byDay.set(text, found);
    return found;
  };
  for (const one of series.exdates) {
    const day = dayOfExdate(one.text, series);
    if (day !== null) of(day).exdates.push({ text: one.text });
  }
  for (const one of series.overrides) if (!one.following) of(localDay(one.recurrenceId)).overrides.push(one);
  return byDay;
}

/** Finds the day that an EXDATE names, or null if it can't be parsed. */
export function dayOfExdate(text: string, series: StoredIcalRecurrence): Day | null {
  const date = seriesDate(text, null, { clock: seriesClock(series), start: series.start });
  return date && (date.wholeDay ?? localDay(date.local));
}

/**
 * Converts the exceptions of a provider's series to those of a rule: skipped days, and days that differ in time or
 * texts.
 */
export function exceptionsOfIcal(series: StoredIcalRecurrence): Exceptions {
  const skipped = new Set(series.exdates.flatMap(({ text }) => dayOfExdate(text, series) ?? []));
  const changed = new Map<Day, Change>();
  for (const { recurrenceId, starts, ends, cancelled, following, fields } of series.overrides) {
    const day = localDay(recurrenceId);
    if (following) continue;
    if (cancelled) skipped.add(day);
    else {
      const usual = usualSpan(series, recurrenceId);
      const isUsual = usual.starts === starts && usual.ends === ends;
      changed.set(day, {
        day,
        span: isUsual ? null : { starts, ends, allDay: series.allDay },
        texts: changedTexts(fields),
      });
    }
  }
  return {
    skipped: [...skipped].filter((day) => !changed.has(day)),
    changed: [...changed.values()].filter(({ span, texts }) => span !== null || Object.keys(texts).length > 0),
  };
}

/** Picks the texts of an occurrence in a provider's series that applications can write. */
export function changedTexts({ summary, description, location }: OccurrenceChanges): Change["texts"] {
  return {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location: location ?? "" }),
  };
}
