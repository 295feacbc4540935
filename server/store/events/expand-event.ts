import type { EventState } from "@/server/domain/events/event-state";
import { seriesOf } from "@/server/domain/events/rule-series";
import type { InstantRange } from "@/server/domain/recurrence/series";
import type { Day } from "@/server/domain/time/day";
import { inSlices } from "@/server/event-loop";
import { icalRows } from "@/server/store/events/ical-occurrences";
import { withDayReplies } from "@/server/store/events/reply-rows";
import { type ExpandedEvent, seriesRows, singleRow } from "@/server/store/events/rule-occurrences";

/**
 * Expands an event within a range: its single row, or the rows of its series, from the application or the provider.
 * @param known the original days that have rows already
 */
export async function expandEvent(
  id: string,
  state: EventState,
  { range, known = [] }: { range: InstantRange; known?: readonly Day[] },
): Promise<ExpandedEvent> {
  if (state.icalRecurrence) return await inSlices(icalRows(id, state.icalRecurrence, { range, state }));
  if (state.ruleSeries) {
    const made = seriesRows(id, seriesOf(state.ruleSeries, state), { range, claim: state, known });
    return { ...made, rows: withDayReplies(made.rows, state, state.ruleSeries) };
  }
  return { rows: [singleRow(id, state.span, state)], firstUid: null, coveredUntil: null };
}
