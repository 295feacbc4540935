import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { applyLocalExceptions } from "@/server/domain/merge/apply-local-exceptions";
import { type ExceptionsToMerge, type MergedSeries, mergeExceptions } from "@/server/domain/merge/merge-exceptions";
import { rebaseSeries } from "@/server/domain/merge/rebase-series";
import { ruleFieldsOf } from "@/server/domain/merge/rule-fields";
import { firstOf, toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import { misfits } from "@/server/domain/recurrence/days";
import { suitedChanges } from "@/server/domain/recurrence/exceptions";
import type { Rule } from "@/server/domain/recurrence/rule";

export interface RemoteSide {
  /** The application’s series as both sides had it last; null: unknown, or it had none. */
  base: RuleSeries | null;
  /** What the provider has. */
  remote: EventState;
  /** What the application has changed since (`changedFieldsOf`). */
  isLocal: ReadonlySet<string>;
}

interface MergedRecurrence {
  state: EventState;
  /** Whose the exceptions of a series of the application are. */
  series: MergedSeries | null;
}

/**
 * Merges when an event is, its rule and the exceptions of it. A start that a rule does not have would be of no series: then the application's
 * word counts for both. A rule that others have changed is written as they have it, with our own days applied to it. In pieces.
 */
export function* mergeRecurrence(own: EventState, other: RemoteSide): Pieces<MergedRecurrence> {
  const { remote, isLocal } = other;
  const there = { ...own, span: remote.span, tzid: remote.tzid };
  if (isLocal.has("rule")) {
    const isThere = !isLocal.has("when") && (!own.ruleSeries || fits(own.ruleSeries.rule, own, there));
    return withRemoteExceptions(isThere ? there : own, other);
  }
  const state = isLocal.has("when") ? own : there;
  const merged = withRemoteExceptions(state, other);
  yield;
  if (merged.series) return merged;
  const icalRecurrence = remote.icalRecurrence && begun(state, remote.icalRecurrence, isLocal);
  if (remote.icalRecurrence && !icalRecurrence) return withRemoteExceptions(own, other);
  const { state: local, lost } = suited(state);
  const rebased =
    icalRecurrence && (yield* applyLocalExceptions(icalRecurrence, local, { remote, isLocal: without(isLocal, lost) }));
  return { state: { ...state, ruleSeries: null, icalRecurrence: rebased }, series: null };
}

/** A series of the application with the exceptions that the other side has made since `base`; as it is where the resource repeats otherwise. */
export function withRemoteExceptions(
  own: EventState,
  { base, remote, isLocal }: Omit<RemoteSide, "isLocal"> & Pick<ExceptionsToMerge, "isLocal">,
): MergedRecurrence {
  const { state: local, lost } = suited(own);
  const merged = base && mergeExceptions(local, { base, remote, isLocal: isLocal && without(isLocal, lost) });
  if (!merged) return { state: own, series: null };
  const { state } = suited({ ...own, ruleSeries: merged.series });
  return { state, series: { ...merged, series: state.ruleSeries ?? merged.series } };
}

/** An event whose changed occurrences are of its own kind of times, and the days of which nothing is left to say then. */
function suited(state: EventState): { state: EventState; lost: ReadonlySet<string> } {
  const { ruleSeries: series, span } = state;
  if (!series) return { state, lost: new Set() };
  const changed = suitedChanges(series.changed, span.allDay);
  const left = new Set(changed.map(({ day }) => day));
  const lost = series.changed.flatMap(({ day, span: moved }) => (moved && !left.has(day) ? [day] : []));
  return { state: { ...state, ruleSeries: { ...series, changed } }, lost: new Set(lost) };
}

/** Of a day of which the application has nothing left to say, what others say counts. */
function without(isLocal: ReadonlySet<string>, lost: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...isLocal].filter((name) => !lost.has(name)));
}

/** Their series from the start that it is to have; null: that is not one of its days. */
function begun(
  state: EventState,
  there: StoredIcalRecurrence,
  isLocal: ReadonlySet<string>,
): StoredIcalRecurrence | null {
  if (!isLocal.has("when")) return there;
  const moved = rebaseSeries(state, there, toIcalRecurrence(state));
  // One that was the provider’s before may begin where no rule has a day: of that nobody was asked.
  const rule = moved && !state.icalRecurrence && ruleFieldsOf(moved, firstOf(state));
  return rule && misfits(rule, firstOf(state).firstDay).length > 0 ? null : moved;
}

/** Whether our rule has their first day, and its exceptions are of their kind of times. */
function fits(rule: Rule, own: EventState, there: EventState): boolean {
  const { zone, firstDay } = firstOf(there);
  const isOfKind = own.span.allDay === there.span.allDay && (there.span.allDay || zone !== null);
  return isOfKind && misfits(rule, firstDay).length === 0;
}
