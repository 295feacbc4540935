import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { instantOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { basic, dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";
import { zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/**
 * Moves a series to another start, with its dates and exceptions, so that they belong to the same occurrences. Dates and exceptions
 * that `known` has too are already at the new time and stay.
 * @param known the series at the new start, of the same kind and time zone
 */
export function shiftSeries(series: StoredIcalRecurrence, known: StoredIcalRecurrence): StoredIcalRecurrence {
  const by = known.start - series.start;
  if (by === 0) return series;
  const days = (dayAt(known.start) - dayAt(series.start)) * DAY_MS;
  const dates = (all: StoredIcalRecurrence["exdates"], stay: StoredIcalRecurrence["exdates"]) => {
    const kept = new Set(stay.map(({ text }) => text));
    const texts = all.map(({ text }) => (kept.has(text) ? text : movedText(text, { by, days })));
    return [...new Set(texts)].map((text) => ({ text }));
  };
  const ids = new Set(known.overrides.map(({ recurrenceId }) => recurrenceId));
  const clock = { allDay: series.allDay, zone: series.tzid === null ? null : zone(series.tzid) };
  return {
    ...series,
    start: known.start,
    exdates: dates(series.exdates, known.exdates),
    rdates: dates(series.rdates, known.rdates),
    overrides: series.overrides.map((one) => (ids.has(one.recurrenceId) ? one : movedOverride(one, by, clock))),
  };
}

function dayAt(local: LocalTime): number {
  return dayOf(local as number as Instant);
}

/** A value of EXDATE or RDATE. A duration stays. */
function movedText(text: string, { by, days }: { by: number; days: number }): string {
  const ends = text.split("/").map((part) => {
    const value = readDateValue(part);
    if (!value) return part;
    if (value.kind === "date") return dateText((value.day * DAY_MS + days) as LocalTime);
    return value.kind === "local" ? localText((value.local + by) as LocalTime) : basic((value.at + by) as Instant);
  });
  return ends.join("/");
}

/** An override that also changes the time stays at that time. */
function movedOverride(
  override: StoredIcalRecurrence["overrides"][number],
  by: number,
  clock: SeriesClock,
): StoredIcalRecurrence["overrides"][number] {
  const recurrenceId = (override.recurrenceId + by) as LocalTime;
  const [before, now] = [override.recurrenceId, recurrenceId].map((local) => instantOn(clock, local));
  const isMoved = override.allDay !== undefined || before !== override.starts;
  const later = isMoved ? 0 : (now ?? 0) - before;
  const starts = (override.starts + later) as Instant;
  return { ...override, recurrenceId, starts, ends: (override.ends + later) as Instant };
}
