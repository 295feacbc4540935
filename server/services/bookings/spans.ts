import type { Interval } from "@/server/domain/availability/intervals";
import { inTimeOf } from "@/server/domain/availability/taken-time";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { Zone } from "@/server/domain/time/zone";
import { clampWindow } from "@/server/domain/window";
import { expandEvent } from "@/server/store/events/expand-event";

/** So many occurrences of a series are judged. */
const MOST_OCCURRENCES = 50;

/**
 * Expands an event to the time that it takes: of a series its first 50 occurrences in the window that is read. All-day
 * events are days in the zone of the calendar's owner.
 */
export async function spansOf(
  eventRow: string,
  state: EventState,
  { zone, now }: { zone: Zone; now: Instant },
): Promise<{ spans: Interval[]; eventUid: string }> {
  const { rows, firstUid } = await expandEvent(eventRow, state, { range: clampWindow({}, now) });
  const spans = rows.map((row) => inTimeOf(zone, row)).sort((one, other) => one.start - other.start);
  return { spans: spans.slice(0, MOST_OCCURRENCES), eventUid: firstUid ?? eventRow };
}
