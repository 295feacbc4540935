import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { MergedSeries } from "@/server/domain/merge/merge-exceptions";
import { mergeRecurrence, withRemoteExceptions } from "@/server/domain/merge/merge-recurrence";
import { rebaseSeries } from "@/server/domain/merge/rebase-series";
import type { Pieces } from "@/server/domain/pieces";
import { sameJson } from "@/server/domain/same-json";

export interface MergeInput {
  /** The event as the application has written it. */
  local: EventState;
  /** The event's series as both sides last had it. Null: unknown, or it had none. */
  base: RuleSeries | null;
  /**
   * What the application has changed since then (`changedFieldsOf`). Null: unknown, the whole local event counts as
   * changed.
   */
  changedFields: readonly string[] | null;
  /** The event as the provider has it. Null: no such event. */
  remote: EventState | null;
  /** How the provider spells texts and links: values that differ only in spelling are equal. */
  spelling: Spelling;
}

export interface Spelling {
  text(value: string): string;
  link(value: string): string;
}

export interface MergeResult {
  state: EventState;
  /** The side that the exceptions of the application's series come from. Null: it has none, or this is unknown. */
  series: MergedSeries | null;
  /** Whether `state` contains remote changes that the application has not written. */
  tookRemote: boolean;
}

/**
 * Does the three-way merge of an event (ADR 17): local values for the fields that the application has changed, remote
 * values for all others. Without `changedFields` the result is the local event, with the exceptions that the provider's
 * side has made since `base`. Works in pieces.
 */
export function* merge({ local, base, changedFields, remote, spelling }: MergeInput): Pieces<MergeResult> {
  if (!remote) return { state: local, series: null, tookRemote: false };
  if (!changedFields) return { ...(yield* withExceptions(local, base, remote)), tookRemote: false };
  const isLocal = new Set(changedFields);
  const content = withRemoteContent(local, remote, isLocal);
  const merged = yield* mergeRecurrence(content, { base, remote, isLocal });
  return { ...merged, tookRemote: !isSame(local, merged.state, spelling) };
}

function* withExceptions(local: EventState, base: RuleSeries | null, remote: EventState) {
  if (local.icalRecurrence) {
    const icalRecurrence =
      remote.icalRecurrence && ((yield* rebaseSeries(local, remote.icalRecurrence)) ?? local.icalRecurrence);
    return { state: { ...local, icalRecurrence }, series: null };
  }
  return withRemoteExceptions(local, { base, remote, isLocal: null });
}

function withRemoteContent(local: EventState, remote: EventState, isLocal: ReadonlySet<string>): EventState {
  const { summary, description, location, url, transparency, conferencing } = remote;
  const content = Object.entries({ summary, description, location, url, transparency, conferencing });
  return { ...local, ...Object.fromEntries(content.filter(([name]) => !isLocal.has(name))) };
}

function isSame(local: EventState, merged: EventState, spelling: Spelling): boolean {
  return sameJson(spelt(local, spelling), spelt(merged, spelling));
}

function spelt(state: EventState, { text, link }: Spelling): unknown {
  const { transparency, conferencing, span, ruleSeries, icalRecurrence } = state;
  const [title, notes, place] = [state.summary, state.description, state.location ?? ""].map(text);
  const zone = ruleSeries ? state.tzid : null;
  const when = { span, zone, ruleSeries, icalRecurrence };
  return { title, notes, place, link: link(state.url ?? ""), transparency, conferencing, ...when };
}
