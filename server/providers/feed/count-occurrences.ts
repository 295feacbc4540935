import type { EventState } from "@/server/domain/events/event-state";
import type { Pieces } from "@/server/domain/pieces";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcalInPieces } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { zone } from "@/server/domain/time/zone";
import type { Window } from "@/server/domain/window";

/** As much as a series may cost when it is stored. */
const STEPS_OF_SERIES = 2 * SERIES_STEPS;

/**
 * Counts the occurrences of an event in a window, in pieces: 1 for an event that doesn't repeat, and for a series that
 * has none there. Takes the steps from `left`, which all series of a feed share.
 */
export function* occurrencesIn({ icalRecurrence }: EventState, window: Window, left: Budget): Pieces<number> {
  if (!icalRecurrence) return 1;
  const { tzid, ...series } = icalRecurrence;
  const ofZone = { ...series, zone: tzid === null ? null : zone(tzid) };
  const budget: Budget = { steps: Math.min(STEPS_OF_SERIES, left.steps) };
  left.steps -= budget.steps;
  const { occurrences } = yield* expandIcalInPieces(ofZone, window, budget);
  left.steps += budget.steps;
  return Math.max(1, occurrences.length);
}
