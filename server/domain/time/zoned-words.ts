import { formatInTimeZone } from "date-fns-tz";
import type { Instant } from "@/server/domain/time/instant";
import { toLocal, zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;

/** Formats the day of an instant in a zone (an IANA name; null or unknown is UTC): `3 March 2027`. */
export function dayInWords(instant: Instant, tzid: string | null, pattern = "d MMMM yyyy"): string {
  return formatInTimeZone(new Date(instant), zone(tzid ?? "") && tzid ? tzid : "UTC", pattern);
}

/**
 * Formats when an event takes place, in its zone: `Tue 3 Mar 2026 10:00 – 11:00 Europe/Madrid`. An all-day event's last
 * day is included.
 */
export function spanInWords(
  { starts, ends, allDay }: { starts: Instant; ends: Instant; allDay: boolean },
  tzid: string | null,
): string {
  const day = (at: Instant) => dayInWords(at, allDay ? null : tzid, "EEE d MMM yyyy");
  if (allDay) {
    const last = day(Math.max(starts, ends - DAY_MS) as Instant);
    return last === day(starts) ? last : `${day(starts)} – ${last}`;
  }
  const end = day(ends) === day(starts) ? clock(ends, tzid) : `${day(ends)} ${clock(ends, tzid)}`;
  return `${day(starts)} ${clock(starts, tzid)} – ${end} ${tzid ?? "UTC"}`;
}

/**
 * Formats without date-fns-tz, whose hours are wrong where the clock of the process's own zone jumps (ADR 10). Its days
 * are right.
 */
function clock(at: Instant, tzid: string | null): string {
  const on = zone(tzid ?? "");
  const local = on ? toLocal(on, at) : at;
  return new Date(local).toISOString().slice("yyyy-mm-ddT".length, "yyyy-mm-ddThh:mm".length);
}
