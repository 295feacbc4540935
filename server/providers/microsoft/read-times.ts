import type { EventState } from "@/server/domain/events/event-state";
import { instantOn, localOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Day } from "@/server/domain/time/day";
import { EARLIEST, type Instant, LATEST } from "@/server/domain/time/instant";
import { type LocalTime, parseLocalTime, parseTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toLocal, zone } from "@/server/domain/time/zone";
import { objectOf, textOf } from "@/server/providers/json-values";
import { type Item, isSeries } from "@/server/providers/microsoft/item";
import { type NamedZone, zoneNamed } from "@/server/providers/zone-names";

/** When an item takes place. */
export interface ItemTimes {
  span: EventState["span"];
  /** The time zone that it is shown in. Null: all-day, or none that is known here. */
  tzid: string | null;
  /** Its start on its own clock; of an all-day one its midnight. */
  start: LocalTime;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Gives the times of an item. Those of an all-day one are midnights whatever zone they are said to be in. An end that is missing, or before
 * the start, is the start, of all-day ones the next day.
 * @param calendarTzid where the item names no zone that is known
 * @returns null without a start
 */
export function timesOf(item: Item, calendarTzid: string | null): ItemTimes | null {
  const named = zoneOf(item, calendarTzid);
  if (item.isAllDay === true) return wholeDays(item, named);
  const starts = instantOf(item.start);
  if (starts === null) return null;
  const ends = Math.max(instantOf(item.end) ?? starts, starts) as Instant;
  const [from, to] = isSeries(item) ? [toMinute(starts), toMinute(ends)] : [starts, ends];
  const clock = { allDay: false, zone: named?.zone ?? null };
  return { span: { starts: from, ends: to, allDay: false }, tzid: named?.tzid ?? null, start: localOn(clock, from) };
}

/** Tells whether an item names a time zone that nobody knows, such as `Customized Time Zone`: then that of the calendar has to be asked for. */
export function namesNoZone(item: Item): boolean {
  return zoneOf(item, null) === null;
}

/** Gives the clock of a series, which says for an all-day one which date an instant is. */
export function clockOf(main: Item, { span }: ItemTimes, calendarTzid: string | null): SeriesClock {
  return { allDay: span.allDay, zone: zoneOf(main, calendarTzid)?.zone ?? null };
}

/** Gives the original start of an exception on its series' clock ("originalStart … always in UTC"). Null: it does not say. */
export function originalStartOf({ originalStart }: Item, clock: SeriesClock): LocalTime | null {
  const at = instantIn(textOf(originalStart) ?? "");
  if (at === null) return null;
  if (!clock.allDay) return localOn(clock, toMinute(at));
  // The midnight of the zone that the series was made in, or of UTC.
  return nearestMidnight(!clock.zone || at % DAY_MS === 0 ? at : toLocal(clock.zone, at));
}

/**
 * Finds the zone of an item by the name that Windows or the tz database has for it. For a series, the zone is the one
 * of its rule.
 */
function zoneOf(item: Item, calendarTzid: string | null): NamedZone | null {
  const { recurrenceTimeZone } = objectOf(objectOf(item.recurrence).range);
  for (const name of [recurrenceTimeZone, item.originalStartTimeZone]) {
    const found = zoneNamed(textOf(name) ?? "");
    if (found) return found;
  }
  const own = calendarTzid === null ? null : zone(calendarTzid);
  return own && calendarTzid !== null ? { tzid: calendarTzid, zone: own } : null;
}

function wholeDays(item: Item, named: NamedZone | null): ItemTimes | null {
  const first = dayIn(item.start, named);
  if (first === null) return null;
  const last = Math.max(dayIn(item.end, named) ?? first + 1, first + 1) as Day;
  const span = { starts: utcMidnight(first), ends: utcMidnight(last), allDay: true };
  return { span, tzid: null, start: span.starts as number as LocalTime };
}

function dayIn(time: unknown, named: NamedZone | null): Day | null {
  const local = parseLocalTime(textOf(objectOf(time).dateTime) ?? "");
  if (local !== null && local % DAY_MS === 0) return (local / DAY_MS) as Day;
  const at = instantOf(time);
  return at === null ? null : ((nearestMidnight(named ? toLocal(named.zone, at) : at) / DAY_MS) as Day);
}

function nearestMidnight(local: number): LocalTime {
  return (Math.round(local / DAY_MS) * DAY_MS) as LocalTime;
}

/** Rounds an instant down to the minute, because Exchange counts the occurrences of a series in minutes. */
function toMinute(at: Instant): Instant {
  return (Math.floor(at / MINUTE_MS) * MINUTE_MS) as Instant;
}

/** Reads `start` or `end`: a wall clock and its zone. */
function instantOf(time: unknown): Instant | null {
  const { dateTime, timeZone } = objectOf(time);
  const text = textOf(dateTime) ?? "";
  const local = parseLocalTime(text);
  if (local === null) return instantIn(text);
  return bounded(instantOn({ allDay: false, zone: zoneNamed(textOf(timeZone) ?? "UTC")?.zone ?? null }, local));
}

function instantIn(text: string): Instant | null {
  const read = parseTime(text);
  return read && bounded(Math.floor(read.micros / 1_000));
}

function bounded(at: number): Instant {
  return Math.min(Math.max(at, EARLIEST), LATEST) as Instant;
}
