import type { EventState } from "@/server/domain/events/event-state";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";

const window = { from: Date.UTC(2026, 0, 1) as Instant, to: Date.UTC(2027, 0, 1) as Instant };

/** The occurrences of an event in 2026, as `start/end` in UTC, or as days. */
export function occurrencesOf({ span, icalRecurrence }: EventState): string[] {
  const series = icalRecurrence && {
    ...icalRecurrence,
    zone: icalRecurrence.tzid === null ? null : zone(icalRecurrence.tzid),
  };
  const spans = series ? expandIcal(series, window, { steps: 50_000 }).occurrences : [span];
  const shown = (at: number) => {
    const text = new Date(at).toISOString().replace(".000", "");
    return span.allDay ? text.slice(0, 10) : text;
  };
  return spans.map(({ starts, ends }) => `${shown(starts)}/${shown(ends)}`);
}
