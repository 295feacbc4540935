import { createHash } from "node:crypto";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, type Zone } from "@/server/domain/time/zone";
import { comparableName, offsetNamed, zoneMeant } from "@/server/providers/caldav/icalendar/lenient/zones";
import { type Component, componentsOf } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { type OwnZone, ownInstant, readOwnZone } from "@/server/providers/caldav/icalendar/zones/own-zone";
import { zoneWithRules } from "@/server/providers/caldav/icalendar/zones/same-rules";
import { type NamedZone, zoneNamed } from "@/server/providers/zone-names";

/** The clock of local times in a calendar object. Without a zone they can only be written as instants. */
export interface Clock {
  tzid: string | null;
  zone: Zone | null;
  instantOf(local: LocalTime): Instant;
}

/** The clock of a TZID. Undefined for times without one. `near`: a local time that must be right in any case. */
export type Clocks = (tzid: string | undefined, near: LocalTime) => Clock;

export const utcClock: Clock = { tzid: null, zone: null, instantOf: (local) => local as number as Instant };

/**
 * Gives the clocks of a calendar object. A TZID that the tz database does not know gets the clocks that its VTIMEZONE describes, under the
 * name of a zone with the same rules.
 * @param calendarZone the zone of times without one, which the object may override (X-WR-TIMEZONE). Null is UTC
 */
export function clocksOf(calendar: Component, calendarZone: string | null): Clocks {
  const known = new Map<string | undefined, Clock>();
  const tzidOfObject = propertyOf(calendar, "X-WR-TIMEZONE")?.value ?? calendarZone;
  const object: Described = { calendar, years: new Set(), left: MOST_DESCRIBED, byName: null };
  const floating = clockOf(tzidOfObject === null ? null : zoneMeant(tzidOfObject), object) ?? utcClock;
  return (tzid, near) => {
    const found = known.get(tzid) ?? (tzid === undefined ? null : clockNamed(object, tzid, near)) ?? floating;
    known.set(tzid, found);
    return found;
  };
}

/** Gives the same clocks, and that of a series for times without a zone. */
export function clocksOn({ zone, ...clock }: Clock, clocks: Clocks): Clocks {
  return (tzid, near) => (tzid === undefined && zone ? { zone, ...clock } : clocks(tzid, near));
}

interface Described {
  calendar: Component;
  /** Its VTIMEZONEs. Null: nobody has asked for one. */
  byName: ReadonlyMap<string, Component> | null;
  /** How many years of zones may be requested, since each is computed. */
  years: Set<string>;
  /** How many VTIMEZONEs may still be read. */
  left: number;
}

function clockOf(named: NamedZone | null, { years }: Described): Clock | null {
  if (!named) return null;
  const isKnown = (local: LocalTime) => {
    const year = `${named.tzid} ${Math.floor(local / YEAR_MS)}`;
    if (years.size < MOST_YEARS) years.add(year);
    return years.has(year);
  };
  // A time that cannot be shown is treated as UTC.
  return {
    instantOf: (local) => (isKnown(local) ? toInstant(named.zone, local) : utcClock.instantOf(local)),
    ...named,
  };
}

/**
 * Finds a clock by its name as it should be, by the VTIMEZONE of that name, by a name that can be understood, and by a
 * VTIMEZONE that is the only one, in that order.
 */
function clockNamed(object: Described, tzid: string, near: LocalTime): Clock | null {
  const named = clockOf(zoneNamed(tzid), object);
  if (named) return named;
  object.byName ??= new Map(
    componentsOf(object.calendar, "VTIMEZONE")
      .map((one) => [comparableName(propertyOf(one, "TZID")?.value ?? ""), one] as const)
      .reverse(),
  );
  const own = object.byName.get(comparableName(tzid));
  const described = own && describedClock(object, own, tzid, near);
  if (described) return described;
  const meant = clockOf(zoneMeant(tzid), object) ?? fixedClock(offsetNamed(tzid));
  const [only] = object.byName.size === 1 ? object.byName.values() : [];
  return meant ?? (only ? describedClock(object, only, tzid, near) : null);
}

function describedClock(object: Described, own: Component, tzid: string, near: LocalTime): Clock | null {
  if (object.left === 0) return null;
  object.left -= 1;
  const location = propertyOf(own, "X-LIC-LOCATION")?.value;
  return clockOf(location === undefined ? null : zoneNamed(location), object) ?? ownClock(own, tzid, near);
}

/** Builds a clock that stands at an offset in minutes for which there is no zone. */
function fixedClock(east: number | null): Clock | null {
  if (east === null) return null;
  return { tzid: null, zone: null, instantOf: (local) => (local - east * MINUTE_MS) as number as Instant };
}

function ownClock(component: Component, tzid: string, near: LocalTime): Clock | null {
  const own = readOwnZone(component);
  if (!own) return null;
  const named = sameRules(own, { component, tzid, near });
  return { tzid: named?.tzid ?? null, zone: named?.zone ?? null, instantOf: (local) => ownInstant(own, local) };
}

/** Limits of one calendar object, and of the cache that all share. */
const MOST_DESCRIBED = 10;
const MOST_YEARS = 100;
const MOST_REMEMBERED = 200;
const MINUTE_MS = 60_000;
const MONTH_MS = 31 * 86_400_000;
const YEAR_MS = 366 * 86_400_000;
const remembered = new Map<string, NamedZone | null>();

/**
 * Finds the zone with the same rules and remembers it. A calendar may repeat the same description thousands of times,
 * and comparing it with every zone takes milliseconds.
 */
function sameRules(own: OwnZone, { component, tzid, near }: { component: Component; tzid: string; near: LocalTime }) {
  const key = `${Math.floor(near / MONTH_MS)} ${digestOf(component)}`;
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const found = zoneWithRules(own, tzid, near);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, found);
  return found;
}

function digestOf({ lines, components }: Component): string {
  const digest = createHash("sha256");
  for (const line of [...lines, ...components.flatMap((one) => [one.name, ...one.lines])]) digest.update(`${line}\n`);
  return digest.digest("base64");
}
