import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { sameContent } from "@/server/store/events/event-record";
import type { StoredReplies } from "@/server/store/provider-writes/stored-replies";

/**
 * Returns an event with what its provider has made of the user's replies, as Exchange shows a tentative event otherwise:
 * that is no change by others. Everything else that differs may be one.
 */
export function withConsequences(own: EventState, read: EventState, replies: StoredReplies): EventState {
  const replied = new Set(Object.values(replies).map(({ recurrenceId }) => recurrenceId));
  const isWhole = replied.has(null);
  const { status, transparency } = isWhole ? read : own;
  const rest = (series: StoredIcalRecurrence | null) =>
    series && { ...series, overrides: series.overrides.filter(({ recurrenceId }) => !replied.has(recurrenceId)) };
  const isSame = sameContent(
    { icalRecurrence: rest(own.icalRecurrence) },
    { icalRecurrence: rest(read.icalRecurrence) },
  );
  return { ...own, status, transparency, icalRecurrence: isSame ? read.icalRecurrence : own.icalRecurrence };
}
