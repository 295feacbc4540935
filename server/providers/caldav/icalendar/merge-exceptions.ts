import { isDeepStrictEqual } from "node:util";
import type { EventState, StoredForeign, StoredSeries } from "@/server/domain/events/event-state";
import { type Exception, exceptionsByDay } from "@/server/domain/events/exceptions-by-day";
import { isRuleDay } from "@/server/domain/recurrence/days";
import { seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import { type Day, dayOf, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { firstOf, repetitionOf } from "@/server/providers/caldav/icalendar/own-series";
import { exceptionsIn, isSameRepetition } from "@/server/providers/caldav/icalendar/same-series";

/** An own series with the exceptions that others made of it since it was last agreed on. */
export interface MergedSeries {
  series: StoredSeries;
  /** The days of occurrences that say what others have made of them. */
  fromOthers: ReadonlySet<Day>;
  /** The days of occurrences that neither side has changed: what the resource says of them beside time and texts stays. */
  untouched: ReadonlySet<Day>;
  /** The days of occurrences that the resource changes: what of these is not in `series` was taken back. */
  changedThere: ReadonlySet<Day>;
}

export interface ToMerge {
  /** The series as application and provider both had it last. */
  agreed: StoredSeries;
  /** What the resource says now. */
  read: EventState;
  /** The days that the application has touched since, among other names; null: those of which it says otherwise than `agreed`. */
  isOurs: ReadonlySet<string> | null;
}

/**
 * Merges exceptions day by day: of a day that the application has not touched since `agreed`, what the resource says of it now; of
 * any other the application's word. Days are those of the rule, so that a series that moved keeps what others took out of it; of
 * another rule's exceptions nobody can say which days they are of. A day that was skipped is back only when nothing names it any
 * more: some who move a series leave its exceptions at the old time.
 * @returns null where the resource does not repeat as was agreed
 */
export function mergeExceptions(own: EventState, { agreed, read, isOurs }: ToMerge): MergedSeries | null {
  if (!own.series) return null;
  const there = repetitionOf(read);
  const asAgreed = { ...read, series: agreed, foreign: null };
  const before = repetitionOf(asAgreed);
  if (!there || !before || !isSameRepetition(asAgreed, before, read, there)) return null;
  const [found, expected] = [exceptionsIn(there, read), exceptionsIn(before, asAgreed)];
  if (!found || !expected) return null;
  const [theirs, known] = [exceptionsByDay(found), exceptionsByDay(expected)];
  const named = namedDays(there, read);
  const [ours, ourBefore] = [exceptionsByDay(own.series), exceptionsByDay(agreed)];
  const { firstDay } = firstOf(own);
  const merged = new Map(ours);
  const [fromOthers, untouched] = [new Set<Day>(), new Set<Day>()];
  for (const text of new Set([...theirs.keys(), ...known.keys()])) {
    const day = parseDay(text);
    const isTouched = isOurs ? isOurs.has(text) : !isDeepStrictEqual(ours.get(text), ourBefore.get(text));
    if (day === null || isTouched || !isRuleDay(own.series.rule, firstDay, day)) continue;
    const now = theirs.get(text);
    const isAsAgreed = isDeepStrictEqual(now, known.get(text));
    if (now !== undefined && now !== "skipped") (isAsAgreed ? untouched : fromOthers).add(day);
    if (isAsAgreed) continue;
    if (now !== undefined) merged.set(text, now);
    else if (known.get(text) !== "skipped" || !named.has(text)) merged.delete(text);
  }
  return { series: { ...own.series, ...listed(merged) }, fromOthers, untouched, changedThere: changedDays(theirs) };
}

/** The local dates that are said to be taken out, at whatever time of the day. */
export function namedDays({ exdates, overrides, allDay, start }: StoredForeign, read: EventState): Set<string> {
  const clock = { allDay, zone: firstOf(read).zone };
  const dates = exdates.flatMap(({ text }) => seriesDate(text, null, { clock, start })?.local ?? []);
  const cancelled = overrides.flatMap((one) => (one.cancelled ? [one.recurrenceId] : []));
  return new Set([...dates, ...cancelled].map((local) => formatDay(dayOf(local as number as Instant))));
}

function listed(merged: ReadonlyMap<string, Exception>): Pick<StoredSeries, "skipped" | "changed"> {
  const all = [...merged].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    skipped: all.flatMap(([day, what]) => (what === "skipped" ? [day] : [])),
    changed: all.flatMap(([, what]) => (what === "skipped" ? [] : [what])),
  };
}

function changedDays(theirs: ReadonlyMap<string, Exception>): Set<Day> {
  return new Set([...theirs].flatMap(([text, what]) => (what === "skipped" ? [] : (parseDay(text) ?? []))));
}
