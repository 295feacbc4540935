import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { applyLocalDays } from "@/server/domain/merge/apply-local-days";
import { applyLocalExceptions } from "@/server/domain/merge/apply-local-exceptions";
import { type ExceptionsToMerge, type MergedSeries, mergeExceptions } from "@/server/domain/merge/merge-exceptions";
import { rebaseSeries } from "@/server/domain/merge/rebase-series";
import { ruleFieldsOf } from "@/server/domain/merge/rule-fields";
import { firstOf } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import { misfits } from "@/server/domain/recurrence/days";
import { suitedChanges } from "@/server/domain/recurrence/exceptions";
import type { Rule } from "@/server/domain/recurrence/rule";
import { formatDay } from "@/server/domain/time/day";

export interface RemoteSide {
  /** The application's series as both sides last had it. Null: unknown, or it had none. */
  base: RuleSeries | null;
  /** The event as the provider has it. */
  remote: EventState;
  /** What the application has changed since (`changedFieldsOf`). */
  isLocal: ReadonlySet<string>;
}

interface MergedRecurrence {
  state: EventState;
  /** The side that the exceptions of the application's series come from. */
  series: MergedSeries | null;
}

/**
 * Merges start, end and zone, the rule, and its exceptions. If the merged start is not a day of the merged rule, the
 * local start and rule win. A rule that the other side has changed is kept, with the local exceptions applied to it.
 * Works in pieces.
 */
export function* mergeRecurrence(own: EventState, other: RemoteSide): Pieces<MergedRecurrence> {
  const { remote, isLocal } = other;
  const was = own.span.allDay;
  const atRemoteTime = { ...own, span: remote.span, tzid: remote.tzid };
  if (isLocal.has("rule")) {
    const fitsRemoteTime = !isLocal.has("when") && (!own.ruleSeries || fits(own.ruleSeries.rule, own, atRemoteTime));
    return withRemoteExceptions(fitsRemoteTime ? atRemoteTime : own, { ...other, was });
  }
  const state = isLocal.has("when") ? own : atRemoteTime;
  const merged = withRemoteExceptions(state, { ...other, was });
  yield;
  if (merged.series) return merged;
  const icalRecurrence = remote.icalRecurrence && (yield* withLocalStart(state, remote.icalRecurrence, isLocal));
  if (remote.icalRecurrence && !icalRecurrence) return withRemoteExceptions(own, { ...other, was });
  const rebased = icalRecurrence && (yield* withLocalDays(icalRecurrence, state, { remote, isLocal, was }));
  return { state: { ...state, ruleSeries: null, icalRecurrence: rebased }, series: null };
}

/**
 * Applies the days that the application has changed to the provider's series. `was`: whether its event lasted whole
 * days.
 */
function* withLocalDays(
  series: StoredIcalRecurrence,
  state: EventState,
  { remote, isLocal, was }: Omit<RemoteSide, "base"> & { was: boolean },
): Pieces<StoredIcalRecurrence> {
  if (state.icalRecurrence) return yield* applyLocalDays(series, state.icalRecurrence, isLocal);
  const { state: local, lost } = withSuitedChanges(state, () => was);
  return yield* applyLocalExceptions(series, local, { remote, isLocal: withoutDays(isLocal, lost) });
}

interface ToMerge extends Omit<RemoteSide, "isLocal">, Pick<ExceptionsToMerge, "isLocal"> {
  /** Whether the local event lasts whole days. Omitted: as `own`. */
  was?: boolean;
}

/**
 * Adds the exceptions that the other side has made since `base` to the application's series, unless the resource
 * repeats differently.
 */
export function withRemoteExceptions(
  own: EventState,
  { base, remote, isLocal, was = own.span.allDay }: ToMerge,
): MergedRecurrence {
  const { state: local, lost } = withSuitedChanges(own, () => was);
  const merged = base && mergeExceptions(local, { base, remote, isLocal: isLocal && withoutDays(isLocal, lost) });
  if (!merged) return { state: own, series: null };
  const ofRemote = new Set([...merged.fromRemote].map(formatDay));
  const wasOf = (day: string) => (ofRemote.has(day) ? remote.span.allDay : was);
  const { state } = withSuitedChanges({ ...own, ruleSeries: merged.series }, wasOf);
  return { state, series: { ...merged, series: state.ruleSeries ?? merged.series } };
}

/**
 * Drops changed occurrences of the event's previous kind (dates where it is timed now, times where it is all-day), and
 * lists the days that have no local change left.
 */
function withSuitedChanges(
  state: EventState,
  was: (day: string) => boolean,
): { state: EventState; lost: ReadonlySet<string> } {
  const { ruleSeries: series, span } = state;
  if (!series) return { state, lost: new Set() };
  const changed = suitedChanges(series.changed, { allDay: span.allDay, was: ({ day }) => was(day) });
  const left = new Set(changed.map(({ day }) => day));
  const lost = series.changed.flatMap(({ day, span: moved }) => (moved && !left.has(day) ? [day] : []));
  return { state: { ...state, ruleSeries: { ...series, changed } }, lost: new Set(lost) };
}

/** Removes days that have no local change left, so that the remote exception wins there. */
function withoutDays(isLocal: ReadonlySet<string>, lost: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...isLocal].filter((name) => !lost.has(name)));
}

/** Moves the provider's series to the merged start. Returns null if that start is not one of its days. */
function* withLocalStart(
  state: EventState,
  series: StoredIcalRecurrence,
  isLocal: ReadonlySet<string>,
): Pieces<StoredIcalRecurrence | null> {
  if (!isLocal.has("when")) return series;
  const moved = yield* rebaseSeries(state, series);
  // A series that was already the provider's may start on a day outside its rules.
  const rule = moved && !state.icalRecurrence && ruleFieldsOf(moved, firstOf(state));
  return rule && misfits(rule, firstOf(state).firstDay).length > 0 ? null : moved;
}

/** Reports whether the local rule includes the remote first day, and its exceptions are of the same kind of times. */
function fits(rule: Rule, own: EventState, remote: EventState): boolean {
  const { zone, firstDay } = firstOf(remote);
  const isOfKind = own.span.allDay === remote.span.allDay && (remote.span.allDay || zone !== null);
  return isOfKind && misfits(rule, firstDay).length === 0;
}
