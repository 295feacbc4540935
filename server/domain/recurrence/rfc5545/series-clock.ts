import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, toLocal, type Zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/**
 * The clock that a series' local times stand on. Without a zone they are read as UTC; all-day ones are UTC midnights, and a
 * zone beside them says only which date an instant (an UNTIL or EXDATE in UTC) is.
 */
export interface SeriesClock {
  allDay: boolean;
  zone: Zone | null;
}

/** When a local time of the series is: in a gap later by its length, in an overlap the first (RFC 5545 §3.3.5). */
export function instantOn({ allDay, zone }: SeriesClock, local: LocalTime): Instant {
  return allDay || !zone ? (local as number as Instant) : toInstant(zone, local);
}

/** The local time of an occurrence that starts at an instant. */
export function localOn({ allDay, zone }: SeriesClock, starts: Instant): LocalTime {
  return allDay || !zone ? (starts as number as LocalTime) : toLocal(zone, starts);
}

/** The local time of an instant that a provider wrote; of an all-day series the midnight of its date. */
export function readOn({ allDay, zone }: SeriesClock, at: Instant): LocalTime {
  const local = zone ? toLocal(zone, at) : (at as number as LocalTime);
  return allDay ? midnightOf(local) : local;
}

/** The midnight that begins a local time's date. */
export function midnightOf(local: LocalTime): LocalTime {
  return (Math.floor(local / DAY_MS) * DAY_MS) as LocalTime;
}
