import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import { formatDay } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";

/** Formats a date: `20261121`. */
export function dateText(local: LocalTime): string {
  return formatDay(dayOf(local as number as Instant)).replaceAll("-", "");
}

/** Formats a local time of any clock: `20261121T090000`. */
export function localText(local: LocalTime): string {
  return basic(local as number as Instant).slice(0, -1);
}

/** Formats an instant: `20261121T080000Z`. */
export function basic(at: Instant): string {
  return formatInstant(at).replace(/[-:]/g, "");
}

/** Formats a duration: `P1DT3600S`. */
export function lengthText({ days, exact }: Duration): string {
  return `P${days}D${exact > 0 ? `T${Math.floor(exact / 1000)}S` : ""}`;
}
