import type { Pieces } from "@/server/domain/pieces";
import { type EventComponents, eventsFound } from "@/server/providers/caldav/icalendar/read/read-resource";
import { calendarRead, calendarWritten } from "@/server/providers/caldav/icalendar/text/calendar-object";

/**
 * Gives a resource without one of its events, in pieces.
 * @param pick finds it
 * @returns null when it does not have the event, and an empty text when it has no other
 */
export function* withoutEvent(
  ics: string,
  pick: (events: readonly EventComponents[]) => EventComponents | undefined,
): Pieces<string | null> {
  const calendar = yield* calendarRead(ics);
  const found = calendar ? yield* eventsFound(calendar) : [];
  const one = pick(found);
  if (!calendar || !one) return null;
  if (found.length === 1) return "";
  const removed = new Set(one.all);
  calendar.components = calendar.components.filter((component) => !removed.has(component));
  return yield* calendarWritten(calendar);
}
