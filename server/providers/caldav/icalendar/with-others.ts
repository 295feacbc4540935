import type { EventState, StoredForeign, StoredSeries } from "@/server/domain/events/event-state";
import type { Pieces } from "@/server/domain/pieces";
import { sameJson } from "@/server/domain/same-json";
import type { MergedSeries } from "@/server/providers/caldav/icalendar/merge-exceptions";
import { mergeRepetition, withTheirExceptions } from "@/server/providers/caldav/icalendar/merge-repetition";
import type { Master } from "@/server/providers/caldav/icalendar/read-series";
import { cleaned, writable, writeRaw } from "@/server/providers/caldav/icalendar/text-value";
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
 * is not known what was touched, our own words with the exceptions that others have made since `agreed`. In pieces.
 * @param repetition what `there` says of it
 */
export function* withOthers(ours: Ours, there: Master | null, repetition: StoredForeign | null): Pieces<WithOthers> {
  const { state, agreed = null, touched } = ours;
  if (!there) return { state, merged: null, hasOthers: false };
  const read = { ...stateOf(there), foreign: repetition };
  if (!touched) return { ...withExceptions(state, agreed, read), hasOthers: false };
  const isOurs = new Set(touched);
  const said = withTheirWords(state, read, isOurs);
  const repeating = yield* mergeRepetition(said, { agreed, read, isOurs });
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
  return sameJson(spelt(own), spelt(all));
}

function spelt({ summary, description, location, url, transparency, conferencing, ...when }: EventState): unknown {
  const [title, notes, place] = [summary, description, location ?? ""].map(writable);
  const link = cleaned(writeRaw(url ?? ""));
  const { span, tzid, series, foreign } = when;
  const zone = series ? tzid : null;
  return { title, notes, place, link, transparency, conferencing, span, zone, series, foreign };
}

function stateOf({ said, times }: Master): EventState {
  return { ...said, span: times.span, tzid: times.clock.tzid, series: null, foreign: null };
}
