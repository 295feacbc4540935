import type { EventState } from "@/server/domain/events/event-state";
import type { InstantRange } from "@/server/domain/recurrence/series";
import type { Day } from "@/server/domain/time/day";
import { inSlices } from "@/server/event-loop";
import { foreignRows } from "@/server/services/events/series/foreign-rows";
import { type Materialised, seriesRows, singleRow } from "@/server/services/events/series/rows";
import { seriesOf } from "@/server/services/events/series/stored-series";

/**
 * The occurrences of an event within a range: its one row, or those of its series, whoever wrote it.
 * @param known the original days that have rows already
 */
export async function materialised(
  id: string,
  state: EventState,
  { range, known = [] }: { range: InstantRange; known?: readonly Day[] },
): Promise<Materialised> {
  if (state.foreign) return await inSlices(foreignRows(id, state.foreign, { range, state }));
  if (state.series) return seriesRows(id, seriesOf(state.series, state), { range, claim: state, known });
  return { rows: [singleRow(id, state.span, state)], firstUid: null, coveredUntil: null };
}
