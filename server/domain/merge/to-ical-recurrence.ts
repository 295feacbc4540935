import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { isRuleDay } from "@/server/domain/recurrence/days";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { basic, dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Rule, RuleWeekday } from "@/server/domain/recurrence/rule";
import { type FirstOccurrence, firstDayOf, occurrenceSpan } from "@/server/domain/recurrence/spans";
import { type Day, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { midnight, toInstant, toLocal, type Zone, zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;
const names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/**
 * Converts the recurrence of an event to iCalendar, including the application's own series. Returns null if it does not
 * repeat.
 */
export function toIcalRecurrence(state: EventState): StoredIcalRecurrence | null {
  const { ruleSeries: series, span, tzid } = state;
  if (!series) return state.icalRecurrence;
  const first = firstOf(state);
  const start = first.zone ? toLocal(first.zone, span.starts) : (span.starts as number as LocalTime);
  const localOf = (day: Day) => (start + utcMidnight((day - first.firstDay) as Day)) as LocalTime;
  const skipped = series.skipped.flatMap((text) => parseDay(text) ?? []);
  const changed = series.changed.flatMap(({ day: text, span: moved, texts }): IcalOverride<OccurrenceChanges>[] => {
    const day = parseDay(text);
    if (day === null || !isRuleDay(series.rule, first.firstDay, day)) return [];
    const { starts, ends } = (moved as IcalOverride | null) ?? occurrenceSpan(first, day);
    const kind = moved && moved.allDay !== span.allDay ? { allDay: moved.allDay } : {};
    return [{ recurrenceId: localOf(day), starts, ends, ...kind, fields: differing(texts, state) }];
  });
  return {
    allDay: span.allDay,
    start,
    tzid: first.zone ? tzid : null,
    duration: lengthOf(span),
    rrules: [rruleText(series.rule, { allDay: span.allDay, zone: first.zone })],
    exrules: [],
    rdates: [],
    exdates: skipped.map((day) => ({
      text: span.allDay ? dateText(localOf(day)) : exdateText(localOf(day), first.zone),
    })),
    overrides: [...secondOfOverlap(first, start, skipped, changed), ...changed],
  };
}

/** Returns the first occurrence of an event's series. */
export function firstOf({ span, tzid }: Pick<EventState, "span" | "tzid">): FirstOccurrence {
  const found = span.allDay || tzid === null ? null : zone(tzid);
  return { first: span, zone: found, firstDay: firstDayOf({ first: span, zone: found }) };
}

/** Formats a rule as an RRULE. UNTIL of a timed series is the last second of its day. */
export function rruleText(
  { frequency, interval, count, until, byDay }: Rule,
  clock: { allDay: boolean; zone: Zone | null },
): string {
  const parts = [`FREQ=${frequency.toUpperCase()}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (count !== null) parts.push(`COUNT=${count}`);
  if (until !== null) parts.push(`UNTIL=${untilText(until, clock)}`);
  if (byDay.length > 0) parts.push(`BYDAY=${[...new Set(byDay.map((day) => weekdayText(frequency, day)))].join(",")}`);
  // Monday is the default, but some servers assume another day when they count weeks.
  if (frequency === "weekly" && interval > 1) parts.push("WKST=MO");
  return parts.join(";");
}

/** Formats UNTIL at the end of a day: as a date in an all-day series, in UTC in a timed one. */
export function untilText(day: Day, { allDay, zone: on }: SeriesClock): string {
  if (allDay) return dateText((day * DAY_MS) as LocalTime);
  const next = (day + 1) as Day;
  const end = on ? midnight(on, next) : utcMidnight(next);
  return basic((end - 1000) as Instant);
}

function weekdayText(frequency: Rule["frequency"], { weekday, nth }: RuleWeekday): string {
  return `${frequency === "monthly" ? (nth ?? 1) : ""}${names[weekday] ?? ""}`;
}

function exdateText(local: LocalTime, on: Zone | null): string {
  return on ? localText(local) : basic(local as number as Instant);
}

/** Computes the length of an event. All-day events last whole days. */
export function lengthOf({ starts, ends, allDay }: EventState["span"]) {
  return allDay ? { days: Math.max(1, (ends - starts) / DAY_MS), exact: 0 } : { days: 0, exact: ends - starts };
}

/** Returns what an occurrence changes compared with its event. */
export function differing(texts: OccurrenceChanges, state: EventState): OccurrenceChanges {
  const { summary, description, location } = texts;
  return {
    ...(summary !== undefined && summary !== state.summary && { summary }),
    ...(description !== undefined && description !== state.description && { description }),
    ...(location !== undefined && (location || null) !== state.location && { location: location || null }),
  };
}

/** Adds an override for the second of two equal local times, which DTSTART cannot express. */
function secondOfOverlap(
  { first, zone: on, firstDay }: FirstOccurrence,
  start: LocalTime,
  skipped: readonly Day[],
  changed: readonly IcalOverride[],
): IcalOverride<OccurrenceChanges>[] {
  if (!on || toInstant(on, start) === first.starts || skipped.includes(firstDay)) return [];
  if (changed.some(({ recurrenceId }) => recurrenceId === start)) return [];
  return [{ recurrenceId: start, starts: first.starts, ends: first.ends, fields: {} }];
}
