import { isDeepStrictEqual } from "node:util";
import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { changedTexts } from "@/server/domain/merge/ical-exceptions";
import { repliesIn } from "@/server/domain/merge/read-replies";
import { isSameRule, ruleFieldsOf } from "@/server/domain/merge/rule-fields";
import { firstOf, toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import { isRuleDay } from "@/server/domain/recurrence/days";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import { type FirstOccurrence, occurrenceSpan } from "@/server/domain/recurrence/spans";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";

type Exceptions = Pick<RuleSeries, "skipped" | "changed">;

/**
 * Checks that an event read from a provider repeats like the local one: the same days, with the same skipped and
 * changed ones. Time of day, location and guests are not compared, nor are replies to single occurrences.
 */
export function sameSeries(own: EventState, remote: EventState): boolean {
  const [local, remoteExceptions] = [toIcalRecurrence(own), toIcalRecurrence(remote)];
  if (!local || !remoteExceptions) return local === remoteExceptions;
  if (!isSameRecurrence(own, local, remote, remoteExceptions)) return false;
  return isDeepStrictEqual(exceptionsIn(local, own), exceptionsIn(remoteExceptions, remote));
}

/**
 * Adds to the local series what others did to single days in the calendar: occurrences that they removed, moved or
 * renamed, and replies.
 * @returns null where the rule differs, or the series has days beyond the rule's
 */
export function seriesAsRead(own: EventState, remote: EventState): RuleSeries | null {
  const [local, remoteExceptions] = [toIcalRecurrence(own), toIcalRecurrence(remote)];
  if (!own.ruleSeries || !local || !remoteExceptions || !isSameRecurrence(own, local, remote, remoteExceptions))
    return null;
  const found = exceptionsIn(remoteExceptions, remote);
  const { replies: _, ...series } = own.ruleSeries;
  return found && { ...series, ...found, ...repliesIn(remoteExceptions, remote) };
}

/**
 * Checks that two recurrences, each with its event, have the same rule in five fields and nothing else except
 * exceptions.
 */
export function isSameRecurrence(
  own: EventState,
  local: StoredIcalRecurrence,
  remote: EventState,
  remoteExceptions: StoredIcalRecurrence,
): boolean {
  if (
    own.span.allDay !== remote.span.allDay ||
    remoteExceptions.rdates.length > 0 ||
    remoteExceptions.exrules.length > 0
  )
    return false;
  const [one, other] = [ruleFieldsOf(local, firstOf(own)), ruleFieldsOf(remoteExceptions, firstOf(remote))];
  return one !== null && other !== null && isSameRule(one, other);
}

/**
 * Extracts the exceptions of a five-field series, on days that it has. Returns null if one of them adds an occurrence
 * or also applies to those that follow.
 */
export function exceptionsIn(series: StoredIcalRecurrence, state: EventState): Exceptions | null {
  const first = firstOf(state);
  const rule = ruleFieldsOf(series, first);
  const clock = { allDay: series.allDay, zone: first.zone };
  const byDay = new Map<Day, "skipped" | Exceptions["changed"][number]>();
  // Whatever its time, an exception can only concern the day's one occurrence, or none.
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
  { starts, ends, allDay, fields }: StoredIcalRecurrence["overrides"][number],
  first: FirstOccurrence,
): Exceptions["changed"][number] | null {
  const usual = occurrenceSpan(first, day);
  const isUsual = allDay === undefined && usual.starts === starts && usual.ends === ends;
  const span = isUsual ? null : { starts, ends, allDay: allDay ?? first.first.allDay };
  const texts = changedTexts(fields);
  return span || Object.keys(texts).length > 0 ? { day: formatDay(day), span, texts } : null;
}
