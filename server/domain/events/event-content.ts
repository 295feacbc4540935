import { isDeepStrictEqual } from "node:util";
import type { EventState, OccurrenceChanges } from "@/server/domain/events/event-state";

/** Everything in an event except its times. */
export type EventContent = Omit<EventState, "span" | "tzid" | "ruleSeries" | "icalRecurrence">;

/**
 * Compares an occurrence of a provider's series with the series and returns what it changes. Categories are the
 * series'.
 */
export function occurrenceChanges(now: EventContent, series: EventContent): OccurrenceChanges {
  const same = sayable(series);
  return Object.fromEntries(
    Object.entries(sayable(now)).filter(([name, value]) => !isDeepStrictEqual(value, same[name])),
  );
}

function sayable({ participationStatus, categories: _, ...others }: EventContent): Record<string, unknown> {
  return { ...others, participation_status: participationStatus };
}
