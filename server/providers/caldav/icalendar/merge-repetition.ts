import type { EventState, StoredForeign, StoredSeries } from "@/server/domain/events/event-state";
import type { Pieces } from "@/server/domain/pieces";
import { misfits } from "@/server/domain/recurrence/days";
import { suitedChanges } from "@/server/domain/recurrence/exceptions";
import type { Rule } from "@/server/domain/recurrence/rule";
import { fiveFields } from "@/server/providers/caldav/icalendar/five-fields";
import { type MergedSeries, mergeExceptions, type ToMerge } from "@/server/providers/caldav/icalendar/merge-exceptions";
import { firstOf, repetitionOf } from "@/server/providers/caldav/icalendar/own-series";
import { theirSeries } from "@/server/providers/caldav/icalendar/their-series";
import { withOurDays } from "@/server/providers/caldav/icalendar/with-our-days";

export interface OtherSide {
  /** Our series as both sides had it last; null: unknown, or it was none of ours. */
  agreed: StoredSeries | null;
  /** What the resource says now. */
  read: EventState;
  /** What the application has touched since (`touchedBy`). */
  isOurs: ReadonlySet<string>;
}

interface Merged {
  state: EventState;
  /** Whose the exceptions of a series of ours are. */
  merged: MergedSeries | null;
}

/**
 * Merges when an event is, its rule and the exceptions of it. A start that a rule does not have would be of no series: then the application's
 * word counts for both. A rule that others have changed is written as they have it, with our own days applied to it. In pieces.
 */
export function* mergeRepetition(own: EventState, other: OtherSide): Pieces<Merged> {
  const { read, isOurs } = other;
  const there = { ...own, span: read.span, tzid: read.tzid };
  if (isOurs.has("rule")) {
    const isThere = !isOurs.has("when") && (!own.series || fits(own.series.rule, own, there));
    return withTheirExceptions(isThere ? there : own, other);
  }
  const state = isOurs.has("when") ? own : there;
  const merged = withTheirExceptions(state, other);
  yield;
  if (merged.merged) return merged;
  const foreign = read.foreign && begun(state, read.foreign, isOurs);
  if (read.foreign && !foreign) return withTheirExceptions(own, other);
  const { state: ours, lost } = suited(state);
  const theirs = foreign && (yield* withOurDays(foreign, ours, { read, isOurs: without(isOurs, lost) }));
  return { state: { ...state, series: null, foreign: theirs }, merged: null };
}

/** A series of ours with the exceptions that others have made since `agreed`; as it is where the resource repeats otherwise. */
export function withTheirExceptions(
  own: EventState,
  { agreed, read, isOurs }: Omit<OtherSide, "isOurs"> & Pick<ToMerge, "isOurs">,
): Merged {
  const { state: ours, lost } = suited(own);
  const merged = agreed && mergeExceptions(ours, { agreed, read, isOurs: isOurs && without(isOurs, lost) });
  if (!merged) return { state: own, merged: null };
  const { state } = suited({ ...own, series: merged.series });
  return { state, merged: { ...merged, series: state.series ?? merged.series } };
}

/** An event whose changed occurrences are of its own kind of times, and the days of which nothing is left to say then. */
function suited(state: EventState): { state: EventState; lost: ReadonlySet<string> } {
  const { series, span } = state;
  if (!series) return { state, lost: new Set() };
  const changed = suitedChanges(series.changed, span.allDay);
  const left = new Set(changed.map(({ day }) => day));
  const lost = series.changed.flatMap(({ day, span: moved }) => (moved && !left.has(day) ? [day] : []));
  return { state: { ...state, series: { ...series, changed } }, lost: new Set(lost) };
}

/** Of a day of which the application has nothing left to say, what others say counts. */
function without(isOurs: ReadonlySet<string>, lost: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...isOurs].filter((name) => !lost.has(name)));
}

/** Their series from the start that it is to have; null: that is not one of its days. */
function begun(state: EventState, there: StoredForeign, isOurs: ReadonlySet<string>): StoredForeign | null {
  if (!isOurs.has("when")) return there;
  const moved = theirSeries(state, there, repetitionOf(state));
  // One that was theirs before may begin where no rule has a day: of that nobody was asked.
  const rule = moved && !state.foreign && fiveFields(moved, firstOf(state));
  return rule && misfits(rule, firstOf(state).firstDay).length > 0 ? null : moved;
}

/** Whether our rule has their first day, and its exceptions are of their kind of times. */
function fits(rule: Rule, own: EventState, there: EventState): boolean {
  const { zone, firstDay } = firstOf(there);
  const isOfKind = own.span.allDay === there.span.allDay && (there.span.allDay || zone !== null);
  return isOfKind && misfits(rule, firstDay).length === 0;
}
