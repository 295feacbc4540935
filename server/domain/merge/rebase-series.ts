import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import { firstOf, lengthOf } from "@/server/domain/merge/to-ical-recurrence";
import { localOn } from "@/server/domain/recurrence/rfc5545/series-clock";

/**
 * A series of others that begins when our own event does, and lasts as long. Its start may be what others have moved: then what they
 * took out moves along, else it would be of no occurrence.
 * @param known our own words for it, where there are any: of these exceptions it is known that they are of our start already
 * @returns null where it is of another kind or time zone, so that nobody can say when its occurrences would be
 */
export function rebaseSeries(
  state: EventState,
  there: StoredIcalRecurrence,
  known: StoredIcalRecurrence | null = state.icalRecurrence,
): StoredIcalRecurrence | null {
  const { span } = state;
  const { zone } = firstOf(state);
  const tzid = zone ? state.tzid : null;
  if (there.allDay !== span.allDay || there.tzid !== tzid) return null;
  const begun = { ...there, exdates: [], rdates: [], overrides: [], ...known };
  const start = known?.start ?? localOn({ allDay: span.allDay, zone }, span.starts);
  return { ...shiftSeries(there, { ...begun, start }), duration: known?.duration ?? lengthOf(span) };
}
