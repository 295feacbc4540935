import type { Pieces } from "@/server/domain/pieces";
import type { Instant } from "@/server/domain/time/instant";
import { type Component, componentsOf } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertyOf, readLine } from "@/server/providers/caldav/icalendar/text/content-line";
import { zoneComponent } from "@/server/providers/caldav/icalendar/zones/zone-component";
import { type NamedZone, zoneNamed } from "@/server/providers/zone-names";

export interface ZonesToPut {
  /** The earliest start. */
  from: Instant;
  now: Instant;
  /** A zone whose description may not cover the times that are in the calendar now. It stays if nothing else says what the name means. */
  renewed: NamedZone | null;
}

/** More than any calendar names. */
const MOST_ZONES = 100;

/** Adds a VTIMEZONE for every zone that the calendar's events name, where it has none (RFC 5545 §3.6.5). In pieces. */
export function* putZones(calendar: Component, { from, now, renewed }: ZonesToPut): Pieces<void> {
  const nameOf = (component: Component) => propertyOf(component, "TZID")?.value;
  const dropped = renewed && zoneNamed(renewed.tzid) ? renewed.tzid : null;
  const kept = calendar.components.filter(
    (one) => one.name !== "VTIMEZONE" || dropped === null || nameOf(one) !== dropped,
  );
  const described = new Set(kept.map(nameOf));
  const named = yield* tzidsIn(componentsOf(calendar, "VEVENT"));
  const added = [...named].flatMap((tzid) => {
    const found = described.has(tzid) ? null : zoneNamed(tzid);
    return found ? [zoneComponent({ tzid, zone: found.zone }, from, now)] : [];
  });
  calendar.components = [...added, ...kept];
}

function* tzidsIn(events: readonly Component[]): Pieces<Set<string>> {
  const named = new Set<string>();
  for (const { lines } of events) {
    yield;
    for (const text of lines) {
      const tzid = /^[^:]*;TZID=/i.test(text) ? readLine(text)?.params.tzid : undefined;
      if (tzid !== undefined) named.add(tzid);
      if (named.size >= MOST_ZONES) return named;
    }
  }
  return named;
}
