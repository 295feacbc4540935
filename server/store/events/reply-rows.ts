import { repliesOfDay } from "@/server/domain/events/day-replies";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { type OccurrenceRow, occurrenceStatus } from "@/server/store/events/rule-occurrences";

/** Returns the rows of a series with the replies to single days. Most series have none. */
export function withDayReplies(
  rows: OccurrenceRow[],
  state: EventState,
  { replies }: Pick<RuleSeries, "replies">,
): OccurrenceRow[] {
  if (!replies) return rows;
  const byDay = new Map(replies.map((one) => [one.day, one]));
  return rows.map((row) => {
    const shown = repliesOfDay(state, byDay.get(row.day ?? ""));
    if (!shown) return row;
    const participationStatus = shown.participation_status ?? state.participationStatus;
    return { ...row, changes: { ...row.changes, ...shown }, ...occurrenceStatus({ ...state, participationStatus }) };
  });
}
