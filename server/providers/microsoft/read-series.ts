import { occurrenceChanges } from "@/server/domain/events/event-content";
import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { overrideSpan } from "@/server/domain/events/occurrence-span";
import { lengthOf } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { type Day, parseDay } from "@/server/domain/time/day";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import type { RemoteEvent } from "@/server/providers/connector";
import { textOf } from "@/server/providers/json-values";
import { etagOf, exceptionsOf, type Item, isSeries } from "@/server/providers/microsoft/item";
import { contentOf } from "@/server/providers/microsoft/read-content";
import { ruleOf } from "@/server/providers/microsoft/read-recurrence";
import { clockOf, type ItemTimes, originalStartOf, timesOf } from "@/server/providers/microsoft/read-times";
import type { EventParts } from "@/server/providers/writing";

/** The version of an exception that has no etag. */
const NO_ETAG = "none";
const DAY_MS = 86_400_000;
const EXCEPTIONS_A_PIECE = 20;
const MOST_DATES = 10_000;

/**
 * Gives an event as it is stored, a series with the exceptions and cancelled occurrences that it was read with. In pieces: it may have
 * thousands.
 * @param calendarTzid where the event names no zone that is known
 * @returns null without a start, or with a rule that Graph is not known to have
 */
export function* eventRead(main: Item, calendarTzid: string | null): Pieces<RemoteEvent | null> {
  const times = timesOf(main, calendarTzid);
  if (!times) return null;
  const recurrence = isSeries(main) ? yield* recurrenceOf(main, times, calendarTzid) : null;
  if (!recurrence && isSeries(main)) return null;
  const { span, tzid } = times;
  const state: EventState = { span, tzid, ruleSeries: null, icalRecurrence: recurrence, ...contentOf(main) };
  const createdAs = textOf(main.transactionId);
  return { externalId: main.id, version: etagOf(main), parts: partsOf(main), state, createdAs };
}

/** Gives the etags of exceptions by their ids. */
export function partsOf(main: Item): EventParts {
  return Object.fromEntries(exceptionsOf(main).map((one) => [one.id, etagOf(one) ?? NO_ETAG]));
}

function* recurrenceOf(main: Item, times: ItemTimes, calendarTzid: string | null): Pieces<StoredIcalRecurrence | null> {
  const clock = clockOf(main, times, calendarTzid);
  const rule = ruleOf(main.recurrence, clock);
  if (rule === null) return null;
  const overrides: IcalOverride<OccurrenceChanges>[] = [];
  for (const [i, exception] of exceptionsOf(main).entries()) {
    if (i % EXCEPTIONS_A_PIECE === 0) yield;
    const override = overrideOf(exception, { main, times, clock });
    if (override) overrides.push(override);
  }
  const { span, tzid, start } = times;
  const exdates = cancelledOf(main).map((day) => ({ text: dateOn(day, times) }));
  const dates = { rrules: [rule], exrules: [], rdates: [], exdates, overrides };
  return { allDay: span.allDay, start, tzid, duration: lengthOf(span), ...dates };
}

interface Series {
  main: Item;
  times: ItemTimes;
  clock: SeriesClock;
}

/** Reads what an exception changes. Returns null if it does not say where it belongs. */
function overrideOf(exception: Item, { main, times, clock }: Series): IcalOverride<OccurrenceChanges> | null {
  const recurrenceId = originalStartOf(exception, clock);
  const own = timesOf(exception, times.tzid);
  if (recurrenceId === null || !own) return null;
  if (exception.isCancelled === true) {
    const starts = instantOn(clock, recurrenceId);
    const ends = (starts + times.span.ends - times.span.starts) as typeof starts;
    return { recurrenceId, starts, ends, cancelled: true, fields: {} };
  }
  const properties = { singleValueExtendedProperties: main.singleValueExtendedProperties };
  // Our properties are those of the series, which an exception need not repeat.
  const fields = occurrenceChanges(contentOf({ ...properties, ...exception }), contentOf(main));
  return { recurrenceId, ...overrideSpan(clock, own), fields };
}

/** Reads the days of `cancelledOccurrences`: `OID.{id of the series}.{date of the occurrence}`. */
function cancelledOf({ cancelledOccurrences }: Item): Day[] {
  const given = Array.isArray(cancelledOccurrences) ? cancelledOccurrences.slice(0, MOST_DATES) : [];
  return given.flatMap((text) => parseDay((textOf(text) ?? "").slice(-10)) ?? []);
}

/** Writes when the occurrence of a date begins. */
function dateOn(day: Day, { span, start }: ItemTimes): string {
  const midnight = utcMidnight(day) as number as LocalTime;
  if (span.allDay) return dateText(midnight);
  const ofDay = start - Math.floor(start / DAY_MS) * DAY_MS;
  return localText((midnight + ofDay) as LocalTime);
}
