import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, type Zone } from "@/server/domain/time/zone";
import { type Component, componentsOf, writeCalendarObject } from "@/server/providers/caldav/icalendar/calendar-object";
import { propertyOf } from "@/server/providers/caldav/icalendar/content-line";
import { type OwnZone, ownInstant, readOwnZone } from "@/server/providers/caldav/icalendar/own-zone";
import { zoneWithRules } from "@/server/providers/caldav/icalendar/same-rules";
import { type NamedZone, zoneNamed } from "@/server/providers/caldav/icalendar/zone-names";

/** What local times of a calendar object stand on. Without zone they can only be said as instants. */
export interface Clock {
  tzid: string | null;
  zone: Zone | null;
  instantOf(local: LocalTime): Instant;
}

/** The clock of a TZID, undefined for times without one. `near`: a local time that is to be right in any case. */
export type Clocks = (tzid: string | undefined, near: LocalTime) => Clock;

export const utcClock: Clock = { tzid: null, zone: null, instantOf: (local) => local as number as Instant };

/**
 * The clocks of a calendar object: of a TZID that no database knows those that its VTIMEZONE describes, under the name of a
 * zone with the same rules.
 * @param calendarZone what times without a zone stand on, of which the object may say otherwise (X-WR-TIMEZONE); null is UTC
 */
export function clocksOf(calendar: Component, calendarZone: string | null): Clocks {
  const known = new Map<string | undefined, Clock>();
  const said = propertyOf(calendar, "X-WR-TIMEZONE")?.value ?? calendarZone;
  const floating = clockOf(said === null ? null : zoneNamed(said)) ?? utcClock;
  return (tzid, near) => {
    const found = known.get(tzid) ?? (tzid === undefined ? null : clockNamed(calendar, tzid, near)) ?? floating;
    known.set(tzid, found);
    return found;
  };
}

function clockOf(named: NamedZone | null): Clock | null {
  return named && { ...named, instantOf: (local) => toInstant(named.zone, local) };
}

function clockNamed(calendar: Component, tzid: string, near: LocalTime): Clock | null {
  const found = clockOf(zoneNamed(tzid) ?? fixedZone(tzid));
  if (found) return found;
  const described = componentsOf(calendar, "VTIMEZONE");
  const own =
    described.find((one) => propertyOf(one, "TZID")?.value.trim() === tzid.trim()) ??
    (described.length === 1 ? described[0] : undefined);
  const location = own && propertyOf(own, "X-LIC-LOCATION")?.value;
  if (!own) return null;
  return clockOf(location === undefined ? null : zoneNamed(location)) ?? ownClock(own, tzid, near);
}

/** `GMT+01:00`, `UTC-5`. */
function fixedZone(tzid: string): NamedZone | null {
  const [, sign, hours] = /^(?:GMT|UTC)\s*([+-])0?(\d{1,2})(?::?00)?$/i.exec(tzid.trim()) ?? [];
  return hours === undefined ? null : zoneNamed(`Etc/GMT${sign === "+" ? "-" : "+"}${hours}`);
}

function ownClock(component: Component, tzid: string, near: LocalTime): Clock | null {
  const own = readOwnZone(component);
  if (!own) return null;
  const named = sameRules(own, { component, tzid, near });
  return { tzid: named?.tzid ?? null, zone: named?.zone ?? null, instantOf: (local) => ownInstant(own, local) };
}

const MOST_REMEMBERED = 200;
const MONTH_MS = 31 * 86_400_000;
const remembered = new Map<string, NamedZone | null>();

/** A calendar may hold the same description thousands of times, and comparing it with every zone takes milliseconds. */
function sameRules(own: OwnZone, { component, tzid, near }: { component: Component; tzid: string; near: LocalTime }) {
  const key = `${Math.floor(near / MONTH_MS)} ${writeCalendarObject(component)}`;
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const found = zoneWithRules(own, tzid, near);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, found);
  return found;
}
