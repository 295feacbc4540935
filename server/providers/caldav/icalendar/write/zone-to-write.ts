import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toLocal } from "@/server/domain/time/zone";
import type { Master } from "@/server/providers/caldav/icalendar/read/read-series";
import { propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";
import type { NamedZone } from "@/server/providers/zone-names";

/** A zone by the name that it has in a calendar object. */
export interface ZoneToWrite extends NamedZone {
  /** The clock that the object gives this name. Omitted: the zone's own. */
  described?: (local: LocalTime) => Instant;
}

/**
 * Names a zone as the event's DTSTART does, if that is the same zone by another name: the object has its VTIMEZONE, and all its times
 * stay on one clock. A description that is wrong at the start isn't used.
 */
export function namedAsBefore(named: NamedZone, starts: Instant, before: Master | null): ZoneToWrite {
  const tzid = before && propertyOf(before.component, "DTSTART")?.params.tzid;
  if (!before || !tzid || tzid === named.tzid || before.times.clock.zone !== named.zone) return named;
  const { instantOf } = before.times.clock;
  return instantOf(toLocal(named.zone, starts)) === starts ? { tzid, zone: named.zone, described: instantOf } : named;
}
