import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { isOnSameClock } from "@/server/domain/merge/series-shift";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import { firstOf, lengthOf, toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import { localOn } from "@/server/domain/recurrence/rfc5545/series-clock";

/**
 * Moves the provider's series to the local event's start and length, along with its exceptions, which would otherwise
 * belong to no occurrence. Exceptions of the application's own rule match the local start already. Works in pieces.
 * @returns null where a rule of the application's meets a series of another kind or time zone: the times of its
 * occurrences are unknown
 */
export function* rebaseSeries(state: EventState, remote: StoredIcalRecurrence): Pieces<StoredIcalRecurrence | null> {
  const { span, ruleSeries, icalRecurrence } = state;
  const { allDay } = span;
  const { zone } = firstOf(state);
  const local = toIcalRecurrence(state);
  const { start, duration } = local ?? { start: localOn({ allDay, zone }, span.starts), duration: lengthOf(span) };
  const to = { allDay, tzid: zone ? state.tzid : null, start, duration };
  if (!icalRecurrence && !isOnSameClock({ from: remote, to })) return null;
  return yield* shiftSeries(remote, to, (ruleSeries && local) || undefined);
}
