import { isDeepStrictEqual } from "node:util";
import type { EventState, StoredSeries } from "@/server/domain/events/event-state";
import type { Component } from "@/server/providers/caldav/icalendar/calendar-object";
import type { MergedSeries } from "@/server/providers/caldav/icalendar/merge-exceptions";
import { mergeRepetition, withTheirExceptions } from "@/server/providers/caldav/icalendar/merge-repetition";
import { type Master, readSeries, type ToRead } from "@/server/providers/caldav/icalendar/read-series";
import { cleaned, readText, writeRaw, writeText } from "@/server/providers/caldav/icalendar/text-value";
import { theirSeries } from "@/server/providers/caldav/icalendar/their-series";

export interface Ours {
  state: EventState;
  agreed?: StoredSeries | null;
  touched?: readonly string[] | null;
}

export interface WithOthers {
  state: EventState;
  merged: MergedSeries | null;
  /** Whether what others say is in it that our own words do not. */
  hasOthers: boolean;
}

/**
 * What is to be written over a resource: of what the application has touched its word, of all else what the resource says. Where it
 * is not known what was touched, our own words with the exceptions that others have made since `agreed`.
 */
export function withOthers(
  ours: Ours,
  there: Master | null,
  { overrides, about }: { overrides: readonly Component[]; about: ToRead },
): WithOthers {
  const { state, agreed = null, touched } = ours;
  if (!there) return { state, merged: null, hasOthers: false };
  const read = { ...stateOf(there), foreign: readSeries(there, overrides, about) };
  if (!touched) return { ...withExceptions(state, agreed, read), hasOthers: false };
  const isOurs = new Set(touched);
  const said = withTheirWords(state, read, isOurs);
  const repeating = mergeRepetition(said, { agreed, read, isOurs });
  return { ...repeating, hasOthers: !isSaid(state, repeating.state) };
}

function withExceptions(state: EventState, agreed: StoredSeries | null, read: EventState) {
  if (state.foreign) {
    const foreign = read.foreign && (theirSeries(state, read.foreign) ?? state.foreign);
    return { state: { ...state, foreign }, merged: null };
  }
  return withTheirExceptions(state, { agreed, read, isOurs: null });
}

function withTheirWords(state: EventState, read: EventState, isOurs: ReadonlySet<string>): EventState {
  const { summary, description, location, url, transparency, conferencing } = read;
  const theirs = Object.entries({ summary, description, location, url, transparency, conferencing });
  return { ...state, ...Object.fromEntries(theirs.filter(([name]) => !isOurs.has(name))) };
}

/** Whether one says no more than the other, as a calendar spells it. */
function isSaid(own: EventState, all: EventState): boolean {
  return isDeepStrictEqual(spelt(own), spelt(all));
}

function spelt({ summary, description, location, url, transparency, conferencing, ...when }: EventState): unknown {
  const [title, notes, place] = [summary, description, location ?? ""].map((text) => readText(writeText(text)));
  const link = cleaned(writeRaw(url ?? ""));
  const { span, tzid, series, foreign } = when;
  const zone = series ? tzid : null;
  return JSON.parse(
    JSON.stringify({ title, notes, place, link, transparency, conferencing, span, zone, series, foreign }),
  );
}

function stateOf({ said, times }: Master): EventState {
  return { ...said, span: times.span, tzid: times.clock.tzid, series: null, foreign: null };
}
