import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import { localOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/**
 * The repetition that others gave an event of the application, after a write that says nothing of it ("Rewriting with recurrence
 * left out keeps the repetition and time zone"): its rule and exceptions stay, the first occurrence is the written one.
 */
export function keptIcalRecurrence(
  icalRecurrence: StoredIcalRecurrence,
  { span }: Pick<EventState, "span">,
): StoredIcalRecurrence {
  const clock = { allDay: span.allDay, zone: icalRecurrence.tzid === null ? null : zone(icalRecurrence.tzid) };
  return { ...icalRecurrence, allDay: span.allDay, start: localOn(clock, span.starts), duration: lengthOf(span) };
}

function lengthOf({ starts, ends, allDay }: EventState["span"]): Duration {
  const length = ends - starts;
  return allDay ? { days: Math.round(length / DAY_MS), exact: 0 } : { days: 0, exact: length };
}
