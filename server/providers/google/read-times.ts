import type { EventState } from "@/server/domain/events/event-state";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { instantOn, localOn, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { type Day, parseDay } from "@/server/domain/time/day";
import { EARLIEST, type Instant, LATEST } from "@/server/domain/time/instant";
import { type LocalTime, parseLocalTime, parseTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { zone } from "@/server/domain/time/zone";
import { type Item, type ItemTime, startInId, timeOf } from "@/server/providers/google/item";

/** When an item takes place. */
export interface ItemTimes {
  span: EventState["span"];
  /** The time zone that it is shown in. Null: all-day, or none that is known here. */
  tzid: string | null;
  /** Its start on its own clock; of an all-day one its midnight. */
  start: LocalTime;
}

/**
 * Gives the times of an item. An all-day one ends on the day after its last one, as here ("end: the (exclusive) end time"). An end that is
 * missing, or before the start, is the start, of all-day ones the next day.
 * @param calendarTzid for a series whose times name no zone
 * @returns null without a start
 */
export function timesOf(item: Item, calendarTzid: string | null): ItemTimes | null {
  const [start, end] = [timeOf(item.start), timeOf(item.end)];
  const day = start.date ? parseDay(start.date) : null;
  if (day !== null) {
    const last = end.date ? parseDay(end.date) : null;
    const until = Math.max(last ?? day + 1, day + 1) as Day;
    const span = { starts: utcMidnight(day), ends: utcMidnight(until), allDay: true };
    return { span, tzid: null, start: span.starts as number as LocalTime };
  }
  const tzid = [start.timeZone, calendarTzid].find((name) => name && zone(name)) ?? null;
  const starts = instantOf(start, tzid);
  if (starts === null) return null;
  const ends = Math.max(instantOf(end, tzid) ?? starts, starts) as Instant;
  const clock = { allDay: false, zone: tzid === null ? null : zone(tzid) };
  return { span: { starts, ends, allDay: false }, tzid, start: localOn(clock, starts) };
}

/** Gives the original start of an exception on its series' clock ("originalStartTime"). Null: it does not say. */
export function originalStartOf(item: Item, clock: SeriesClock): LocalTime | null {
  const original = timeOf(item.originalStartTime);
  const day = original.date ? parseDay(original.date) : null;
  if (day !== null) return utcMidnight(day) as number as LocalTime;
  const at = instantOf(original, null);
  if (at !== null) return localOn(clock, at);
  const inId = readDateValue(startInId(item) ?? "");
  if (inId?.kind === "date") return utcMidnight(inId.day) as number as LocalTime;
  return inId?.kind === "utc" ? localOn(clock, inId.at) : null;
}

/** Gives a time as the API accepts it. A recurring event has to name its time zone, and another may ("start.timeZone"). */
export function writtenTime(at: Instant, { allDay, tzid }: { allDay: boolean; tzid: string | null }): ItemTime {
  if (allDay) return { date: new Date(at).toISOString().slice(0, 10), dateTime: null, timeZone: null };
  return { date: null, dateTime: new Date(at).toISOString(), timeZone: tzid ?? "UTC" };
}

/** Gives the id of an occurrence: its series' id and its original start, in UTC or as a date. */
export function instanceId(series: string, original: LocalTime, clock: SeriesClock): string {
  const at = instantOn(clock, original);
  const text = new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
  return `${series}_${clock.allDay ? text.slice(0, 8) : text}`;
}

function instantOf({ dateTime, timeZone }: ItemTime, tzid: string | null): Instant | null {
  if (!dateTime) return null;
  const read = parseTime(dateTime);
  if (read) return bounded(Math.floor(read.micros / 1_000));
  const local = parseLocalTime(dateTime);
  const named = zone(timeZone ?? tzid ?? "");
  return local === null ? null : bounded(instantOn({ allDay: false, zone: named }, local));
}

function bounded(at: number): Instant {
  return Math.min(Math.max(at, EARLIEST), LATEST) as Instant;
}
