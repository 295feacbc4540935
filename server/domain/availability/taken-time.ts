import type { Interval } from "@/server/domain/availability/intervals";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { midnight, type Zone } from "@/server/domain/time/zone";

const SECOND_MS = 1_000;

/** Returns the time that an occurrence takes, in whole seconds: an all-day one is days in the zone. */
export function inTimeOf(
  zone: Zone,
  { allDay, starts, ends }: { allDay: boolean; starts: Instant; ends: Instant },
): Interval {
  return allDay ? daysOf(zone, starts, ends) : inSeconds(starts, ends);
}

function daysOf(zone: Zone, starts: Instant, ends: Instant): Interval {
  return { start: midnight(zone, dayOf(starts)), end: midnight(zone, dayOf(ends)) };
}

function inSeconds(starts: Instant, ends: Instant): Interval {
  return {
    start: (Math.floor(starts / SECOND_MS) * SECOND_MS) as Instant,
    end: (Math.ceil(ends / SECOND_MS) * SECOND_MS) as Instant,
  };
}
