import { isDeepStrictEqual } from "node:util";
import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { type Exception, exceptionsByDay } from "@/server/domain/events/exceptions-by-day";
import { exceptionsIn, isSameRecurrence } from "@/server/domain/merge/same-series";
import { firstOf, toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import { isRuleDay } from "@/server/domain/recurrence/days";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";

/** The application's series with the exceptions that the provider's side has made since `base`. */
export interface MergedSeries {
  series: RuleSeries;
  /** The days of occurrences whose exception comes from the provider's side. */
  fromRemote: ReadonlySet<Day>;
  /** The days of occurrences that neither side has changed: what the resource holds beside time and texts stays. */
  untouched: ReadonlySet<Day>;
  /**
   * The days of occurrences that the resource changes. If such a day is missing from `series`, the change was reverted.
   */
  changedRemotely: ReadonlySet<Day>;
}

export interface ExceptionsToMerge {
  /** The series as the application and the provider last both had it. */
  base: RuleSeries;
  /** The event as the provider has it. */
  remote: EventState;
  /** The names of what the application has changed since, days among them. Null: the days that differ from `base`. */
  isLocal: ReadonlySet<string> | null;
}

/**
 * Merges exceptions day by day: the remote exception for days that the application has not changed since `base`, the
 * local one for all others. Days are those of the rule, so a series that moved keeps the exceptions of the other side.
 * Exceptions of a different rule cannot be assigned to days. A skipped day is restored only when the resource no longer
 * names it, because some clients that move a series leave its exceptions at the old time.
 * @returns null where the resource does not repeat as `base` does
 */
export function mergeExceptions(own: EventState, { base, remote, isLocal }: ExceptionsToMerge): MergedSeries | null {
  if (!own.ruleSeries) return null;
  const remoteSeries = toIcalRecurrence(remote);
  const asBase = { ...remote, ruleSeries: base, icalRecurrence: null };
  const baseSeries = toIcalRecurrence(asBase);
  if (!remoteSeries || !baseSeries || !isSameRecurrence(asBase, baseSeries, remote, remoteSeries)) return null;
  const [found, expected] = [exceptionsIn(remoteSeries, remote), exceptionsIn(baseSeries, asBase)];
  if (!found || !expected) return null;
  const [remoteExceptions, baseExceptions] = [exceptionsByDay(found), exceptionsByDay(expected)];
  const named = namedDays(remoteSeries, remote);
  const [local, localBefore] = [exceptionsByDay(own.ruleSeries), exceptionsByDay(base)];
  const { firstDay } = firstOf(own);
  const merged = new Map(local);
  const [fromRemote, untouched] = [new Set<Day>(), new Set<Day>()];
  for (const text of new Set([...remoteExceptions.keys(), ...baseExceptions.keys()])) {
    const day = parseDay(text);
    const isChanged = isLocal ? isLocal.has(text) : !isDeepStrictEqual(local.get(text), localBefore.get(text));
    if (day === null || isChanged || !isRuleDay(own.ruleSeries.rule, firstDay, day)) continue;
    const now = remoteExceptions.get(text);
    const isAsBase = isDeepStrictEqual(now, baseExceptions.get(text));
    if (now !== undefined && now !== "skipped") (isAsBase ? untouched : fromRemote).add(day);
    if (isAsBase) continue;
    if (now !== undefined) merged.set(text, now);
    else if (baseExceptions.get(text) !== "skipped" || !named.has(text)) merged.delete(text);
  }
  return {
    series: { ...own.ruleSeries, ...listed(merged) },
    fromRemote,
    untouched,
    changedRemotely: changedDays(remoteExceptions),
  };
}

/** Lists the local dates that the resource skips, at any time of the day. */
export function namedDays(
  { exdates, overrides, allDay, start }: StoredIcalRecurrence,
  remote: EventState,
): Set<string> {
  const clock = { allDay, zone: firstOf(remote).zone };
  const dates = exdates.flatMap(({ text }) => seriesDate(text, null, { clock, start })?.local ?? []);
  const cancelled = overrides.flatMap((one) => (one.cancelled ? [one.recurrenceId] : []));
  return new Set([...dates, ...cancelled].map((local) => formatDay(dayOf(local as number as Instant))));
}

function listed(merged: ReadonlyMap<string, Exception>): Pick<RuleSeries, "skipped" | "changed"> {
  const all = [...merged].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    skipped: all.flatMap(([day, what]) => (what === "skipped" ? [day] : [])),
    changed: all.flatMap(([, what]) => (what === "skipped" ? [] : [what])),
  };
}

function changedDays(remoteExceptions: ReadonlyMap<string, Exception>): Set<Day> {
  return new Set([...remoteExceptions].flatMap(([text, what]) => (what === "skipped" ? [] : (parseDay(text) ?? []))));
}
