import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import { firstOf, lengthOf } from "@/server/domain/merge/to-ical-recurrence";
import { localOn } from "@/server/domain/recurrence/rfc5545/series-clock";

/**
 * The provider's series, starting when the local event does and lasting as long. If the other side has moved the start, its exceptions
 * move along, because otherwise they would belong to no occurrence.
 * @param known the local series, if there is one: its exceptions are known to match the local start already
 * @returns null where the series is of another kind or time zone, so that the times of its occurrences are unknown
 */
export function rebaseSeries(
  state: EventState,
  remote: StoredIcalRecurrence,
  known: StoredIcalRecurrence | null = state.icalRecurrence,
): StoredIcalRecurrence | null {
  const { span } = state;
  const { zone } = firstOf(state);
  const tzid = zone ? state.tzid : null;
  if (remote.allDay !== span.allDay || remote.tzid !== tzid) return null;
  const base = { ...remote, exdates: [], rdates: [], overrides: [], ...known };
  const start = known?.start ?? localOn({ allDay: span.allDay, zone }, span.starts);
  return { ...shiftSeries(remote, { ...base, start }), duration: known?.duration ?? lengthOf(span) };
}
