import { isDeepStrictEqual } from "node:util";
import type { EventState, OccurrenceChanges } from "@/server/domain/events/event-state";

/** Everything that an event says, except its times. */
export type EventContent = Omit<EventState, "span" | "tzid" | "ruleSeries" | "icalRecurrence">;

/** What an occurrence of a provider's series changes compared with its series. Its categories are the series'. */
export function occurrenceChanges(now: EventContent, series: EventContent): OccurrenceChanges {
  const same = sayable(series);
  return Object.fromEntries(
    Object.entries(sayable(now)).filter(([name, value]) => !isDeepStrictEqual(value, same[name])),
  );
}

function sayable({ participationStatus, categories: _, ...others }: EventContent): Record<string, unknown> {
  return { ...others, participation_status: participationStatus };
}
