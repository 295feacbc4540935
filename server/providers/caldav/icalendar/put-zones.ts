import type { Instant } from "@/server/domain/time/instant";
import { type Component, componentsOf } from "@/server/providers/caldav/icalendar/calendar-object";
import { propertyOf, readLine } from "@/server/providers/caldav/icalendar/content-line";
import { zoneComponent } from "@/server/providers/caldav/icalendar/zone-component";
import { type NamedZone, zoneNamed } from "@/server/providers/caldav/icalendar/zone-names";

export interface ZonesToPut {
  /** The earliest start. */
  from: Instant;
  now: Instant;
  /** A zone whose description may no longer reach the times that are in it now. */
  renewed: NamedZone | null;
}

/** Puts a VTIMEZONE for every zone that the calendar's events name, where it has none (RFC 5545 §3.6.5). */
export function putZones(calendar: Component, { from, now, renewed }: ZonesToPut): void {
  const nameOf = (component: Component) => propertyOf(component, "TZID")?.value;
  const kept = calendar.components.filter(
    (one) => one.name !== "VTIMEZONE" || !renewed || nameOf(one) !== renewed.tzid,
  );
  const described = new Set(kept.map(nameOf));
  const added = [...tzidsIn(componentsOf(calendar, "VEVENT"))].flatMap((tzid) => {
    const found = described.has(tzid) ? null : zoneNamed(tzid);
    return found ? [zoneComponent({ tzid, zone: found.zone }, from, now)] : [];
  });
  calendar.components = [...added, ...kept];
}

function tzidsIn(events: readonly Component[]): Set<string> {
  const named = events.flatMap(({ lines }) => lines.filter((text) => /^[^:]*;TZID=/i.test(text)));
  return new Set(named.flatMap((text) => readLine(text)?.params.tzid ?? []));
}
