import { isDeepStrictEqual } from "node:util";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { documentText, withOwnSpelling } from "@/server/domain/events/own-spelling";
import type { MergeResult } from "@/server/domain/merge/merge";
import { mergeWrite } from "@/server/domain/merge/merge-write";
import { isSameRecurrence } from "@/server/domain/merge/same-series";
import { toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import { providerTraits } from "@/server/domain/providers";
import { inSlices } from "@/server/event-loop";
import type { Item } from "@/server/providers/microsoft/item";
import { propertyOf, RESTORING, RESTORING_PROPERTY } from "@/server/providers/microsoft/properties";
import { eventRead } from "@/server/providers/microsoft/read-series";
import { type Recurrence, recurrenceOf } from "@/server/providers/microsoft/write-recurrence";
import { withOwnZone, writtenTimes } from "@/server/providers/microsoft/write-times";
import { type EventToWrite, Refused } from "@/server/providers/writing";

export interface MergedItem extends MergeResult {
  /** The event as Graph has it. */
  remote: EventState;
}

/**
 * Merges what the event is to say over what Graph has.
 * @param isRewritten this write has changed the series already, so that nobody else took out the exceptions that Graph dropped
 */
export async function mergedWith(input: EventToWrite, main: Item, isRewritten = false): Promise<MergedItem> {
  const remote = await readAs(main, input.state);
  const isDropped = isRewritten || propertyOf(main, RESTORING_PROPERTY) === RESTORING || isAtNewTime(input, remote);
  return { ...(await inSlices(mergeWrite(input, { remote, spelling, isDropped }))), remote };
}

/**
 * Reports whether Graph has the application's new time already, because an earlier try moved the series and got no
 * further.
 */
function isAtNewTime({ changedFields, state: local }: EventToWrite, remote: EventState): boolean {
  return changedFields?.includes("when") === true && isDeepStrictEqual(timesIn(remote), timesIn(local));
}

const timesIn = (state: EventState) => writtenTimes(state, true);

/**
 * Gives the event as it is stored, in the application's own words where Graph has only spelled them otherwise. In the zone that it had when it
 * was read, if it names none that is known.
 */
export async function readAs(main: Item, local: EventState): Promise<EventState> {
  const read = await inSlices(eventRead(main, local.tzid));
  if (!read) throw new Refused("unreadable");
  return withOwnZone(local, withOwnSpelling(local, read.state, providerTraits.microsoft));
}

/** Texts as Graph has them. */
const spelling = { text: documentText, link: (url: string) => url };

/** Gives the recurrence of a series that repeats otherwise than Graph has it, of an event that repeats no longer null. Undefined: it stays. */
export function recurrenceAfter(
  state: EventState,
  { remote, main }: { remote: EventState; main: Item },
): Recurrence | null | undefined {
  const [after, before] = [toIcalRecurrence(state), remote.icalRecurrence];
  if (!after) return before ? null : undefined;
  if (before && isSameSeries({ state, series: after }, { state: remote, series: before })) return undefined;
  const written = recurrenceOf(state, main);
  if (written && "refused" in written) throw new Refused(written.refused);
  return written?.recurrence;
}

interface Repeating {
  state: EventState;
  series: StoredIcalRecurrence;
}

function isSameSeries({ state, series: after }: Repeating, { state: remote, series: before }: Repeating): boolean {
  const isAtSameTime = after.start === before.start && after.allDay === before.allDay && after.tzid === before.tzid;
  if (!isAtSameTime) return false;
  if (state.ruleSeries) return isSameRecurrence(state, after, remote, before);
  return isDeepStrictEqual(after.rrules, before.rrules);
}

/** Rounds the times of a series down to the minute, because Exchange counts the occurrences of a series in minutes. */
export function inMinutes<Event extends { state: EventState }>(event: Event): Event {
  const { span, ruleSeries } = event.state;
  if (!ruleSeries) return event;
  const [starts, ends] = [span.starts, span.ends].map((at) => at - (at % 60_000)) as [
    typeof span.starts,
    typeof span.ends,
  ];
  return { ...event, state: { ...event.state, span: { ...span, starts, ends } } };
}
