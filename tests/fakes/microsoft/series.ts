import type { PatternedRecurrence } from "@microsoft/microsoft-graph-types";
import { badRequest } from "./errors";
import type { Body } from "./event-fields";
import { contentOf, type Item, neighbours, timesByRule } from "./occurrences";
import { storedRecurrence, zoneOfRecurrence } from "./patterns";
import { datesOf } from "./recurrence";
import type { EventContent, Knobs, StoredEvent, StoredTime } from "./state";
import { clockOf, dateOf, dayAfter, daysBetween, epochOf, localOf } from "./times";
import { windowsName } from "./zone-names";

export interface Series {
  content: EventContent;
  recurrence: PatternedRecurrence | null;
}

/** How many occurrences are looked at for overlaps. */
const CHECKED = 60;

/** What a write makes of content and recurrence together: the start is that of the first occurrence [R ridafkih/keeper.sh#409]. */
export function seriesAfter(
  knobs: Knobs,
  content: EventContent,
  body: Body,
  before: PatternedRecurrence | null,
): Series {
  const isGiven = body.recurrence !== undefined;
  if (!isGiven && !before) return { content, recurrence: null };
  const zone = zoneOfRecurrence(knobs, body.recurrence);
  const placed = zone ? inZone(content, zone) : content;
  const recurrence = isGiven ? storedRecurrence(knobs, body.recurrence, placed.start) : followed(before, placed);
  if (!recurrence) return { content, recurrence: null };
  const [first, ...rest] = datesOf(knobs, recurrence, "9999-12-31", CHECKED);
  // Codes of Exchange (ResponseCode of EWS); the texts are [K].
  if (!first)
    throw badRequest("ErrorRecurrenceHasNoOccurrence", "The recurrence pattern and range have no occurrence.");
  const begun = startingOn(placed, first);
  checkOverlaps(begun, [first, ...rest]);
  return { content: begun, recurrence };
}

/** [K]: a series whose start moves to another day begins there. */
function followed(before: PatternedRecurrence | null, { start }: EventContent): PatternedRecurrence | null {
  if (!before?.range) return before;
  const isSooner = dateOf(start.local) !== before.range.startDate;
  const startDate = isSooner ? dateOf(start.local) : before.range.startDate;
  return { ...before, range: { ...before.range, startDate, recurrenceTimeZone: start.shown } };
}

function inZone(content: EventContent, zone: string): EventContent {
  const moved = (time: StoredTime): StoredTime =>
    time.zone === zone ? time : { local: localOf(epochOf(time), zone), zone, shown: windowsName(zone) };
  return { ...content, start: moved(content.start), end: moved(content.end) };
}

function startingOn(content: EventContent, date: string): EventContent {
  const days = daysBetween(dateOf(content.start.local), date);
  const moved = (time: StoredTime) => ({
    ...time,
    local: `${dayAfter(dateOf(time.local), days)}${clockOf(time.local)}`,
  });
  return days === 0 ? content : { ...content, start: moved(content.start), end: moved(content.end) };
}

function checkOverlaps({ start, end }: EventContent, dates: string[]): void {
  const length = epochOf(end) - epochOf(start);
  const starts = dates.map((date) => epochOf({ local: `${date}${clockOf(start.local)}`, zone: start.zone }));
  if (starts.some((one, index) => one + length > (starts[index + 1] ?? Number.POSITIVE_INFINITY))) {
    const text = "Duration of each occurrence is longer than the time between occurrences.";
    throw badRequest("ErrorOccurrenceTimeSpanTooBig", text);
  }
}

/** Whether a write ends the exceptions of a series (ADR 34): another pattern, range, zone or time. */
export function endsExceptions(event: StoredEvent, { content, recurrence }: Series): boolean {
  const rule = (one: PatternedRecurrence | null) => JSON.stringify([one?.pattern, one?.range]);
  const clocks = ({ start, end, isAllDay }: EventContent) =>
    JSON.stringify([clockOf(start.local), start.zone, epochOf(end) - epochOf(start), isAllDay]);
  return rule(event.recurrence) !== rule(recurrence) || clocks(event.content) !== clocks(content);
}

/**
 * "Update event": "an occurrence cannot be moved to or before the day of the previous occurrence, and cannot be moved to or after the day
 * of the following occurrence."
 */
export function checkBoundary(knobs: Knobs, { event, date }: Item, after: EventContent): void {
  if (date === undefined) return;
  const zone = timesByRule(event, date).start.zone;
  const dayOf = ({ start }: EventContent) => dateOf(localOf(epochOf(start), zone));
  if (dayOf(after) === dayOf(contentOf({ event, date }))) return;
  const { before, after: next } = neighbours(knobs, event, date);
  const isTooEarly = before && dayOf(after) <= dayOf(contentOf(before));
  const isTooLate = next && dayOf(after) >= dayOf(contentOf(next));
  if (isTooEarly || isTooLate) {
    const text = "Modified occurrence is crossing or overlapping adjacent occurrence.";
    throw badRequest("ErrorOccurrenceCrossingBoundary", text);
  }
}
