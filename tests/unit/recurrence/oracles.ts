import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { civil, type Day, dayFromCivil, parseDay } from "@/server/domain/time/day";
import type { Sample } from "@/tests/unit/recurrence/random-rules";

const names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const frequencies = { daily: "DAILY", weekly: "WEEKLY", monthly: "MONTHLY", yearly: "YEARLY" } as const;

/**
 * The days of a sample by rrule-temporal, at noon: it skips a day whose local time is in a gap and does not count it, and
 * noon is in none of these years' gaps.
 */
export function daysByRRuleTemporal({ rule, first, from, to }: Sample, tzid: string): Day[] {
  const byDay = rule.byDay.map(({ weekday, nth }) => `${nth ?? ""}${names[weekday]}`);
  const series = new RRuleTemporal({
    freq: frequencies[rule.frequency],
    interval: rule.interval,
    wkst: "MO",
    dtstart: at(tzid, first, 12),
    ...(rule.count !== null && { count: rule.count }),
    ...(rule.until !== null && { until: at(tzid, rule.until, 18) }),
    ...(byDay.length > 0 && { byDay }),
  });
  const [after, before] = [at(tzid, from, 0), at(tzid, to, 0)];
  const found = series.between(new Date(after.epochMilliseconds), new Date(before.epochMilliseconds - 1), true);
  return found.map((one) => dayFromCivil(one.year, one.month, one.day));
}

/** Epoch milliseconds at which the clocks of a zone show a time of day (in minutes), as Temporal understands it. */
export function momentByTemporal(tzid: string, day: Day, minutes: number): number {
  return localTime(day, minutes).toZonedDateTime(tzid, { disambiguation: "compatible" }).epochMilliseconds;
}

/** The local dates on which a zone's clocks are changed, and their neighbours, from 2012 to 2060. */
export function daysNearChanges(tzid: string): Set<Day> {
  const found = new Set<Day>();
  const last = Temporal.PlainDate.from("2060-01-01").toZonedDateTime(tzid).epochMilliseconds;
  let change = Temporal.PlainDate.from("2012-01-01").toZonedDateTime(tzid).getTimeZoneTransition("next");
  while (change && change.epochMilliseconds < last) {
    const day = parseDay(change.toPlainDate().toString());
    for (const near of [-1, 0, 1]) if (day !== null) found.add((day + near) as Day);
    change = change.getTimeZoneTransition("next");
  }
  return found;
}

function at(tzid: string, day: Day, hour: number): Temporal.ZonedDateTime {
  return localTime(day, hour * 60).toZonedDateTime(tzid);
}

function localTime(day: Day, minutes: number): Temporal.PlainDateTime {
  const { year, month, dayOfMonth } = civil(day);
  return new Temporal.PlainDateTime(year, month, dayOfMonth, Math.floor(minutes / 60), minutes % 60);
}
