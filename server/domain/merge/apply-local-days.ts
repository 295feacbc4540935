import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { dayOfExdate } from "@/server/domain/merge/ical-exceptions";
import { daysOfSeries, localDay } from "@/server/domain/merge/series-days";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import type { Pieces } from "@/server/domain/pieces";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { type Day, parseDay } from "@/server/domain/time/day";

/**
 * Applies the application's changes to single days of a provider's series to that series as the provider has it now.
 * Ignores a day that no longer has an occurrence. Works in pieces.
 * @param isLocal what the application has changed (`changedFieldsOf`)
 */
export function* applyLocalDays(
  series: StoredIcalRecurrence,
  own: StoredIcalRecurrence,
  isLocal: ReadonlySet<string>,
): Pieces<StoredIcalRecurrence> {
  const changed = new Set([...isLocal].flatMap((name) => parseDay(name) ?? []));
  if (changed.size === 0) return series;
  const local = yield* shiftSeries(
    {
      ...own,
      exdates: own.exdates.filter(({ text }) => isOn(changed, dayOfExdate(text, own))),
      overrides: own.overrides.filter((one) => !one.following && isOn(changed, localDay(one.recurrenceId))),
    },
    series,
  );
  const by = localDay(series.start) - localDay(own.start);
  const days = new Set([...changed].map((day) => (day + by) as Day));
  const budget: Budget = { steps: SERIES_STEPS };
  const found = yield* daysOfSeries({ ...series, exdates: [], overrides: [] }, [...days], budget);
  const beside = new Set(series.overrides.flatMap((one) => (one.cancelled ? [] : [localDay(one.recurrenceId)])));
  const hasOccurrence = (day: Day) =>
    budget.exhausted || beside.has(day) || (found.get(day)?.occurrences.length ?? 0) > 0;
  return {
    ...series,
    exdates: [...series.exdates.filter(({ text }) => !isOn(days, dayOfExdate(text, series))), ...local.exdates],
    overrides: [
      ...series.overrides.filter((one) => one.following || !days.has(localDay(one.recurrenceId))),
      ...local.overrides.filter(({ recurrenceId }) => hasOccurrence(localDay(recurrenceId))),
    ],
  };
}

function isOn(days: ReadonlySet<Day>, day: Day | null): boolean {
  return day !== null && days.has(day);
}
