import { whole } from "@/server/domain/pieces";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { zone } from "@/server/domain/time/zone";
import type { Window } from "@/server/domain/window";
import type { RemoteEvent } from "@/server/providers/connector";
import type { Item } from "@/server/providers/microsoft/item";
import { eventRead } from "@/server/providers/microsoft/read-series";

/** Tells whether an event, or an occurrence of a series, takes place within a window. What cannot be read counts as outside. */
export function liesWithin(item: Item, window: Window): boolean {
  const event = readable(item);
  if (!event) return false;
  const { span, icalRecurrence } = event.state;
  if (!icalRecurrence) return span.starts < window.to && (span.ends > window.from || span.starts >= window.from);
  const { tzid, ...series } = icalRecurrence;
  const clock = { ...series, zone: tzid === null ? null : zone(tzid) };
  return expandIcal(clock, window, { steps: SERIES_STEPS }).occurrences.length > 0;
}

/**
 * Reads an item and returns null if the reader fails, so that others are judged whatever a stranger's event does to it.
 */
function readable(item: Item): RemoteEvent | null {
  try {
    return whole(eventRead(item, null));
  } catch {
    return null;
  }
}
