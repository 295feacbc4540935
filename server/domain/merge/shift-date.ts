import { isOnSameClock, type SeriesShift, seriesClock, shiftedTime } from "@/server/domain/merge/series-shift";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import { basic, dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";

const DAY_MS = 86_400_000;

/**
 * Shifts a value of RDATE or EXDATE with its series, in its original form or, on another clock, in the form of the
 * series.
 */
export function shiftDate(text: string, shift: SeriesShift): string {
  return isOnSameClock(shift) ? sameForm(text, shift) : seriesForm(text, shift);
}

/** Formats a time of a series as its dates are. */
export function dateOnClock({ allDay, tzid }: { allDay: boolean; tzid: string | null }, local: LocalTime): string {
  if (allDay) return dateText(local);
  return tzid === null ? basic(local as number as Instant) : localText(local);
}

/** Shifts a value in its own form. A duration stays. */
function sameForm(text: string, { from, to }: SeriesShift): string {
  const by = to.start - from.start;
  const ends = text.split("/").map((part) => {
    const value = readDateValue(part);
    if (!value) return part;
    if (value.kind === "date") return dateText((value.day * DAY_MS + daysOf({ from, to })) as LocalTime);
    return value.kind === "local" ? localText((value.local + by) as LocalTime) : basic((value.at + by) as Instant);
  });
  return ends.join("/");
}

function seriesForm(text: string, shift: SeriesShift): string {
  const { from, to } = shift;
  const date = seriesDate(text, null, { clock: seriesClock(from), start: from.start });
  if (!date) return text;
  if (date.wholeDay !== null) return dateText((date.wholeDay * DAY_MS + daysOf(shift)) as LocalTime);
  const start = dateOnClock(to, shiftedTime(shift, date.local));
  if (!date.lasts || to.allDay) return start;
  if ("duration" in date.lasts) return `${start}/${text.split("/")[1]}`;
  return `${start}/${dateOnClock(to, shiftedTime(shift, date.lasts.ends))}`;
}

function daysOf({ from, to }: SeriesShift): number {
  const [before, after] = [from, to].map(({ start }) => dayOf(start as number as Instant));
  return ((after ?? 0) - (before ?? 0)) * DAY_MS;
}
