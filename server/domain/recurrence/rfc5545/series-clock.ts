import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, toLocal, type Zone } from "@/server/domain/time/zone";

/** The clock that a series' local times stand on. Without a zone they are read as UTC; all-day ones are UTC midnights. */
export interface SeriesClock {
  allDay: boolean;
  zone: Zone | null;
}

/** When a local time of the series is: in a gap later by its length, in an overlap the first (RFC 5545 §3.3.5). */
export function instantOn({ allDay, zone }: SeriesClock, local: LocalTime): Instant {
  return allDay || !zone ? (local as number as Instant) : toInstant(zone, local);
}

/** What the series' clock shows at an instant; of all-day series the zone's, where there is one. */
export function localOn({ zone }: SeriesClock, at: Instant): LocalTime {
  return zone ? toLocal(zone, at) : (at as number as LocalTime);
}
