import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { withDroppedExceptions } from "@/server/domain/merge/changed-fields";
import { type MergeResult, merge, type Spelling } from "@/server/domain/merge/merge";
import type { Pieces } from "@/server/domain/pieces";

export interface WriteToMerge {
  state: EventState;
  base?: RuleSeries | null;
  changedFields?: readonly string[] | null;
}

export interface Remote {
  /** The event as the provider has it. */
  remote: EventState;
  spelling: Spelling;
  /** The provider drops the exceptions of a series that moves, and this write has moved it: nobody else took them out. */
  isDropped: boolean;
}

/** Merges what the application writes over what a provider has. In pieces. */
export function* mergeWrite(write: WriteToMerge, { remote, spelling, isDropped }: Remote): Pieces<MergeResult> {
  const { state: local, base = null, changedFields = null } = write;
  if (!isDropped) return yield* merge({ local, base, changedFields, remote, spelling });
  const bare = base && { ...base, skipped: [], changed: [] };
  const withDropped = withDroppedExceptions(changedFields, local);
  return yield* merge({ local, base: bare, changedFields: withDropped, remote, spelling });
}

/**
 * Gives what is left of a write once the provider has its merged series, whose exceptions it has dropped: those of the other side have to be
 * written again, too.
 */
export function rewriteOf<Write extends WriteToMerge>(write: Write, merged: EventState): Write {
  return { ...write, state: merged, base: merged.ruleSeries };
}
