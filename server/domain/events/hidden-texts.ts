import type { EventState, OccurrenceChanges } from "@/server/domain/events/event-state";

/** The summary of every event whose texts are hidden. */
export const HIDDEN_SUMMARY = "Busy";

/**
 * Returns an event as free/busy shows it: its times, how it repeats, and whether it is busy, tentative or declined. Of
 * what it says and who takes part nothing is left (ADR 109). `state`: as a provider reports it.
 */
export function hiddenTexts(state: EventState): EventState {
  const { icalRecurrence } = state;
  return {
    ...state,
    ...{ summary: HIDDEN_SUMMARY, description: "", location: null, url: null, private: false },
    ...{ organizer: null, attendees: [], categories: [], conferencing: null },
    icalRecurrence: icalRecurrence && {
      ...icalRecurrence,
      overrides: icalRecurrence.overrides.map((one) => ({ ...one, fields: hiddenChanges(one.fields) })),
    },
  };
}

/** The fields of a single occurrence that are hidden. */
export const hiddenFields = [
  ...["summary", "description", "location", "url", "attendees", "private", "organizer", "conferencing"],
] as readonly (keyof OccurrenceChanges)[];

function hiddenChanges(changes: OccurrenceChanges): OccurrenceChanges {
  const hidden: ReadonlySet<string> = new Set(hiddenFields);
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !hidden.has(name)));
}
