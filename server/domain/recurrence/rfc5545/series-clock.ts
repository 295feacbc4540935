import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, toLocal, type Zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/**
 * The clock of a series' local times. Without a zone they are read as UTC. All-day ones are UTC midnights, and a zone
 * beside them only decides which date an instant (an UNTIL or EXDATE in UTC) is.
 */
export interface SeriesClock {
  allDay: boolean;
  zone: Zone | null;
}

/**
 * Converts a local time of the series to an instant: later by the gap's length in a gap, the first in an overlap (RFC
 * 5545 §3.3.5).
 */
export function instantOn({ allDay, zone }: SeriesClock, local: LocalTime): Instant {
  return allDay || !zone ? (local as number as Instant) : toInstant(zone, local);
}

/** Converts the instant at which an occurrence starts to local time. */
export function localOn({ allDay, zone }: SeriesClock, starts: Instant): LocalTime {
  return allDay || !zone ? (starts as number as LocalTime) : toLocal(zone, starts);
}

/** Converts an instant written by a provider to local time. All-day: the midnight of its date. */
export function readOn({ allDay, zone }: SeriesClock, at: Instant): LocalTime {
  const local = zone ? toLocal(zone, at) : (at as number as LocalTime);
  return allDay ? midnightOf(local) : local;
}

/** Returns the midnight that begins a local time's date. */
export function midnightOf(local: LocalTime): LocalTime {
  return (Math.floor(local / DAY_MS) * DAY_MS) as LocalTime;
}
