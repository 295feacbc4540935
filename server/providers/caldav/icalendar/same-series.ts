import { isDeepStrictEqual } from "node:util";
import type { EventState, StoredForeign, StoredSeries } from "@/server/domain/events/event-state";
import { isRuleDay } from "@/server/domain/recurrence/days";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import { type FirstOccurrence, occurrenceSpan } from "@/server/domain/recurrence/spans";
import { type Day, dayOf, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { fiveFields, isSameRule } from "@/server/providers/caldav/icalendar/five-fields";
import { firstOf, repetitionOf } from "@/server/providers/caldav/icalendar/own-series";

type Exceptions = Pick<StoredSeries, "skipped" | "changed">;

/**
 * Whether a read event says of repetition what our own series says: the same days, skipped and changed ones included. When
 * in the day, where and with whom is not asked; nor are guests' replies to single occurrences.
 */
export function sameSeries(own: EventState, read: EventState): boolean {
  const [ours, theirs] = [repetitionOf(own), repetitionOf(read)];
  if (!ours || !theirs) return ours === theirs;
  if (!isSameRepetition(own, ours, read, theirs)) return false;
  return isDeepStrictEqual(exceptionsIn(ours, own), exceptionsIn(theirs, read));
}

/**
 * Our own series with the exceptions that others made in the calendar: occurrences that they took out, moved or renamed.
 * @returns null where its rule is another now, or its days are more than the rule's
 */
export function seriesAsRead(own: EventState, read: EventState): StoredSeries | null {
  const [ours, theirs] = [repetitionOf(own), repetitionOf(read)];
  if (!own.series || !ours || !theirs || !isSameRepetition(own, ours, read, theirs)) return null;
  const found = exceptionsIn(theirs, read);
  return found && { ...own.series, ...found };
}

/** Whether two repetitions, each of its event, have the same rule in five fields and nothing beside it but exceptions. */
export function isSameRepetition(
  own: EventState,
  ours: StoredForeign,
  read: EventState,
  theirs: StoredForeign,
): boolean {
  if (own.span.allDay !== read.span.allDay || theirs.rdates.length > 0 || theirs.exrules.length > 0) return false;
  const [one, other] = [fiveFields(ours, firstOf(own)), fiveFields(theirs, firstOf(read))];
  return one !== null && other !== null && isSameRule(one, other);
}

/** The exceptions of a series of five fields, on days that it has; null with one that is an occurrence more, or is for those that follow, too. */
export function exceptionsIn(series: StoredForeign, state: EventState): Exceptions | null {
  const first = firstOf(state);
  const rule = fiveFields(series, first);
  const clock = { allDay: series.allDay, zone: first.zone };
  const byDay = new Map<Day, "skipped" | Exceptions["changed"][number]>();
  // Whatever time of its day an exception names, it can only be about the day's one occurrence, or about none.
  const dayAt = (local: number, wholeDay: Day | null): Day | null => {
    const day = wholeDay ?? dayOf(local as Instant);
    if (!rule || !isRuleDay(rule, first.firstDay, day)) return null;
    const nominal = (series.start + (day - first.firstDay) * DAY_MS) as typeof series.start;
    return wholeDay !== null || instantOn(clock, local as typeof series.start) === instantOn(clock, nominal)
      ? day
      : null;
  };
  for (const { text } of series.exdates) {
    const date = seriesDate(text, null, { clock, start: series.start });
    const day = date && dayAt(date.local, date.wholeDay);
    if (day !== null) byDay.set(day, "skipped");
  }
  if (series.overrides.some(({ following }) => following)) return null;
  for (const override of series.overrides) {
    const day = dayAt(override.recurrenceId, null);
    if (day === null && !override.cancelled) return null;
    if (day === null) continue;
    byDay.delete(day);
    const change = override.cancelled ? "skipped" : changeOf(day, override, first);
    if (change) byDay.set(day, change);
  }
  const all = [...byDay].sort(([a], [b]) => a - b);
  return {
    skipped: all.flatMap(([day, what]) => (what === "skipped" ? [formatDay(day)] : [])),
    changed: all.flatMap(([, what]) => (what === "skipped" ? [] : [what])),
  };
}

const DAY_MS = 86_400_000;

function changeOf(
  day: Day,
  { starts, ends, fields }: StoredForeign["overrides"][number],
  first: FirstOccurrence,
): Exceptions["changed"][number] | null {
  const usual = occurrenceSpan(first, day);
  const span = usual.starts === starts && usual.ends === ends ? null : { starts, ends, allDay: first.first.allDay };
  const { summary, description, location } = fields;
  const texts = {
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location: location ?? "" }),
  };
  return span || Object.keys(texts).length > 0 ? { day: formatDay(day), span, texts } : null;
}
