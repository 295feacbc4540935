import type { EventState, StoredForeign, StoredSeries } from "@/server/domain/events/event-state";
import type { Component } from "@/server/providers/caldav/icalendar/calendar-object";
import { type MergedSeries, mergeExceptions } from "@/server/providers/caldav/icalendar/merge-exceptions";
import { movedAlong } from "@/server/providers/caldav/icalendar/moved-along";
import { type Master, readSeries, type ToRead } from "@/server/providers/caldav/icalendar/read-series";

interface Ours {
  state: EventState;
  agreed?: StoredSeries | null;
}

/** What is to be written over a resource, with what others have made of its repetition since the application knew it. */
export function withOthers(
  { state, agreed }: Ours,
  there: Master | null,
  { overrides, about }: { overrides: readonly Component[]; about: ToRead },
): { state: EventState; merged: MergedSeries | null } {
  const foreign = there && readSeries(there, overrides, about);
  if (there && state.foreign) return { state: { ...state, foreign: asThere(state.foreign, foreign) }, merged: null };
  const merged = there && agreed ? mergeExceptions(state, agreed, { ...stateOf(there), foreign }) : null;
  return { state: merged ? { ...state, series: merged.series } : state, merged };
}

/**
 * Of a series of others the application changes where it begins and how long it lasts, and nothing else. Its start may be what others
 * have moved: then what they took out moves along, else it would be of no occurrence.
 */
function asThere(ours: StoredForeign, there: StoredForeign | null): StoredForeign | null {
  if (there && (there.tzid !== ours.tzid || there.allDay !== ours.allDay)) return ours;
  return there && { ...movedAlong(there, ours), duration: ours.duration };
}

function stateOf({ said, times }: Master): EventState {
  return { ...said, span: times.span, tzid: times.clock.tzid, series: null, foreign: null };
}
