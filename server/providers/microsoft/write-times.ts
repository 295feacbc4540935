import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, toLocal, zone } from "@/server/domain/time/zone";
import { windowsNameOf } from "@/server/providers/zone-names";

/** A wall clock and the name that Windows has for its zone (dateTimeTimeZone). */
export interface WrittenTime {
  dateTime: string;
  timeZone: string;
}

type Times = Pick<EventState, "span" | "tzid">;

const MINUTE_MS = 60_000;
const UTC = "UTC";

/**
 * Writes when an event takes place, as Graph accepts it. For an all-day event "start and endtime must be set to
 * midnight and be in the same time zone". Exchange counts the occurrences of a series in minutes.
 */
export function writtenTimes({ span, tzid }: Times, isSeries: boolean) {
  const { allDay } = span;
  const [starts, ends] = isSeries ? [toMinute(span.starts), toMinute(span.ends)] : [span.starts, span.ends];
  return { start: writtenTime(starts, { allDay, tzid }), end: writtenTime(ends, { allDay, tzid }), isAllDay: allDay };
}

/**
 * Writes a time in the zone of its event, or in UTC if the zone's clock shows that time twice or Windows has no such
 * zone.
 */
export function writtenTime(at: Instant, { allDay, tzid }: { allDay: boolean; tzid: string | null }): WrittenTime {
  const timeZone = tzid === null ? UTC : (windowsNameOf(tzid, at) ?? UTC);
  if (allDay) return { dateTime: text(at), timeZone };
  const own = tzid === null || timeZone === UTC ? null : zone(tzid);
  if (!own) return { dateTime: text(at), timeZone: UTC };
  const local = toLocal(own, at);
  return toInstant(own, local) === at ? { dateTime: text(local), timeZone } : { dateTime: text(at), timeZone: UTC };
}

/** Tells whether Windows has a zone in which a series can repeat. */
export function hasZone({ span, tzid }: Times): boolean {
  return tzid === null || windowsNameOf(tzid, span.starts) !== null;
}

/**
 * Restores the application's name of a zone in an event that was read, if Windows calls both zones by the same name.
 * All-day events are read without a zone.
 */
export function withOwnZone(own: Times, read: EventState): EventState {
  const { tzid, span, icalRecurrence } = read;
  const isAllDay = span.allDay && own.span.allDay;
  const isSame = isAllDay || (tzid !== null && (own.tzid === null || isSameName(tzid, own.tzid, span.starts)));
  if (!isSame) return read;
  const named = isAllDay ? null : (own.tzid ?? tzid);
  return {
    ...read,
    tzid: own.tzid ?? tzid,
    icalRecurrence: icalRecurrence && { ...icalRecurrence, tzid: named },
  };
}

function isSameName(one: string, other: string, at: Instant): boolean {
  return windowsNameOf(one, at) === windowsNameOf(other, at);
}

function toMinute(at: Instant): Instant {
  return (Math.floor(at / MINUTE_MS) * MINUTE_MS) as Instant;
}

function text(at: Instant | LocalTime): string {
  return new Date(at).toISOString().slice(0, 19);
}
