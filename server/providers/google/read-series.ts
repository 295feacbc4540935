import { occurrenceChanges } from "@/server/domain/events/event-content";
import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { overrideSpan } from "@/server/domain/events/occurrence-span";
import { lengthOf } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { basic } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { cleaned } from "@/server/domain/text";
import { zone } from "@/server/domain/time/zone";
import type { RemoteEvent } from "@/server/providers/connector";
import { etagOf, type Item, isCancelled, isSeries } from "@/server/providers/google/item";
import { contentOf } from "@/server/providers/google/read-content";
import { type ItemTimes, originalStartOf, timesOf } from "@/server/providers/google/read-times";
import { textOf } from "@/server/providers/json-values";
import type { EventParts } from "@/server/providers/writing";

/** An event with the exceptions of its series, which are items of their own. */
export interface ItemWithExceptions {
  main: Item;
  exceptions: readonly Item[];
}

/** The version of an exception that has no etag. */
const NO_ETAG = "none";
const MOST_LINES = 100;
const MOST_DATES = 10_000;
const EXCEPTIONS_A_PIECE = 20;

/** Gives an event as it is stored. Null: it has no start. In pieces: a series may have thousands of exceptions. */
export function* eventRead(
  { main, exceptions }: ItemWithExceptions,
  calendarTzid: string | null,
): Pieces<RemoteEvent | null> {
  const times = timesOf(main, isSeries(main) ? calendarTzid : null);
  if (!times) return null;
  const content = contentOf(main);
  const icalRecurrence = yield* recurrenceOf(main, exceptions, times);
  const state: EventState = { span: times.span, tzid: times.tzid, ruleSeries: null, icalRecurrence, ...content };
  const hasMoreGuests = main.attendeesOmitted === true;
  return { externalId: main.id, version: etagOf(main), parts: partsOf(exceptions), state, hasMoreGuests };
}

/** Gives the etags of exceptions by their ids. */
export function partsOf(exceptions: readonly Item[]): EventParts {
  return Object.fromEntries(exceptions.map((one) => [one.id, etagOf(one) ?? NO_ETAG]));
}

export function clockOf({ span, tzid }: Pick<ItemTimes, "span" | "tzid">): SeriesClock {
  return { allDay: span.allDay, zone: tzid === null ? null : zone(tzid) };
}

function* recurrenceOf(main: Item, exceptions: readonly Item[], times: ItemTimes): Pieces<StoredIcalRecurrence | null> {
  const lines = linesOf(main);
  if (lines.length + exceptions.length === 0) return null;
  const overrides: IcalOverride<OccurrenceChanges>[] = [];
  for (const [i, exception] of exceptions.entries()) {
    if (i % EXCEPTIONS_A_PIECE === 0) yield;
    const override = overrideOf(exception, main, times);
    if (override) overrides.push(override);
  }
  const rules = (name: string) => lines.flatMap((line) => (line.name === name ? [line.value] : []));
  return {
    allDay: times.span.allDay,
    start: times.start,
    tzid: times.tzid,
    duration: lengthOf(times.span),
    rrules: rules("RRULE"),
    exrules: rules("EXRULE"),
    rdates: datesOf(lines, "RDATE", times),
    exdates: datesOf(lines, "EXDATE", times),
    overrides,
  };
}

/**
 * Reads what an exception changes. A deleted exception has nothing but its original start ("Events", status). Returns
 * null if it has not even that.
 */
function overrideOf(exception: Item, main: Item, times: ItemTimes): IcalOverride<OccurrenceChanges> | null {
  const clock = clockOf(times);
  const recurrenceId = originalStartOf(exception, clock);
  if (recurrenceId === null) return null;
  const original = instantOn(clock, recurrenceId);
  const lasts = times.span.ends - times.span.starts;
  const own = timesOf(exception, times.tzid);
  if (isCancelled(exception) || !own) {
    const ends = (original + lasts) as typeof original;
    return { recurrenceId, starts: original, ends, cancelled: true, fields: {} };
  }
  const { attendees, ...fields } = occurrenceChanges(contentOf(exception), contentOf(main));
  // Guests whom Google has not listed are those of the series.
  const isWhole = exception.attendeesOmitted !== true;
  return {
    recurrenceId,
    ...overrideSpan(clock, own),
    fields: { ...fields, ...(isWhole && attendees && { attendees }) },
  };
}

interface Line {
  name: string;
  tzid: string | null;
  value: string;
}

/**
 * Reads the "List of RRULE, EXRULE, RDATE and EXDATE lines for a recurring event, as specified in RFC5545"
 * ("recurrence").
 */
function linesOf({ recurrence }: Item): Line[] {
  const all = Array.isArray(recurrence) ? recurrence.slice(0, MOST_LINES) : [];
  return all.flatMap((text) => {
    const [, name, params, value] = /^(RRULE|EXRULE|RDATE|EXDATE)((?:;[^:]*)?):(.*)$/is.exec(textOf(text) ?? "") ?? [];
    if (name === undefined || value === undefined) return [];
    const tzid = /;TZID="?([^;"]+)/i.exec(params ?? "")?.[1] ?? null;
    return [{ name: name.toUpperCase(), tzid, value: cleaned(value).trim() }];
  });
}

/** Reads dates on the series' own clock, and in UTC if they were written on another. */
function datesOf(lines: readonly Line[], name: string, times: ItemTimes): { text: string }[] {
  const own = clockOf(times);
  const dates = lines
    .filter((line) => line.name === name)
    .flatMap(({ value, tzid }) => value.split(",").map((text) => ({ text: text.trim(), tzid })));
  return dates.slice(0, MOST_DATES).map(({ text, tzid }) => {
    const named = tzid === null ? null : zone(tzid);
    const ends = text.split("/").map((end) => {
      const read = readDateValue(end);
      if (read?.kind !== "local" || own.allDay || !named || named === own.zone) return end;
      return basic(instantOn({ allDay: false, zone: named }, read.local));
    });
    return { text: ends.join("/") };
  });
}
