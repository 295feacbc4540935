import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { expandIcal, type IcalRecurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { namedZone } from "@/tests/unit/time/named-zone";

const HOUR_MS = 3_600_000;

/** `19970902T090000` as a local time; a date is its midnight. */
export function local(text: string): LocalTime {
  const value = readDateValue(text);
  if (!value || value.kind === "utc") throw new Error(`${text} is not a local time`);
  return (value.kind === "date" ? value.day * 24 * HOUR_MS : value.local) as LocalTime;
}

/** `1997-09-02T13:00:00Z` as an instant. */
export function at(text: string): Instant {
  return Date.parse(text) as Instant;
}

/** A series of one hour from a local start; a date makes it all-day, of one day. */
export function given<Fields = string>(
  start: string,
  more: Partial<IcalRecurrence<Fields>> & { tzid?: string } = {},
): IcalRecurrence<Fields> {
  const allDay = !start.includes("T");
  const { tzid = "Europe/Berlin", ...parts } = more;
  return {
    allDay,
    start: local(start),
    zone: allDay ? null : namedZone(tzid),
    duration: allDay ? { days: 1, exact: 0 } : { days: 0, exact: HOUR_MS },
    rrules: [],
    exrules: [],
    rdates: [],
    exdates: [],
    overrides: [],
    ...parts,
  };
}

/** The expansion over a span of instants, with a budget that is enough for anything sane. */
export function expand<Fields>(series: IcalRecurrence<Fields>, from: string, to: string, steps = 200_000) {
  return expandIcal(series, { from: at(from), to: at(to) }, { steps });
}

/** The original starts as `1997-09-02T09:00`. */
export function ids<Fields>(series: IcalRecurrence<Fields>, from: string, to: string): string[] {
  return expand(series, from, to).occurrences.map(({ recurrenceId }) => shown(recurrenceId));
}

/** When they start, as `1997-09-02T13:00`, in UTC. */
export function starts<Fields>(series: IcalRecurrence<Fields>, from: string, to: string): string[] {
  return expand(series, from, to).occurrences.map((one) => shown(one.starts));
}

export function shown(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
