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

/** Returns spans with buffers around them. */
export function buffered(spans: readonly Interval[], { before, after }: { before: number; after: number }): Interval[] {
  return spans.map(({ start, end }) => ({ start: (start - before) as Instant, end: (end + after) as Instant }));
}

/** Returns the range from the first start to the last end. */
export function rangeOfSpans(spans: readonly Interval[], now: Instant): Interval {
  if (spans.length === 0) return { start: now, end: now };
  return {
    start: Math.min(...spans.map(({ start }) => start)) as Instant,
    end: Math.max(...spans.map(({ end }) => end)) as Instant,
  };
}
