import { formatDay } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { formatZoned, type Zone } from "@/server/domain/time/zone";

export type TimeWriter = (epochSeconds: number, allDay: boolean) => string;

/**
 * Returns how a read writes its times: a date for all-day events, else UTC, or the offset of the request's zone with
 * localized_times.
 */
export function timeWriter(localized: boolean, zone: Zone): TimeWriter {
  return (epochSeconds, allDay) => {
    const at = (epochSeconds * 1000) as Instant;
    if (allDay) return formatDay(dayOf(at));
    return localized ? formatZoned(at, zone) : formatInstant(at);
  };
}
