import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { isOnSameClock } from "@/server/domain/merge/series-shift";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import { firstOf, lengthOf } from "@/server/domain/merge/to-ical-recurrence";
import { whole } from "@/server/domain/pieces";
import { localOn } from "@/server/domain/recurrence/rfc5545/series-clock";

type Times = Pick<EventState, "span" | "tzid">;

/**
 * Keeps the repetition that others gave an event of the application, after a write that says nothing of it ("Rewriting
 * with recurrence left out keeps the repetition and time zone"): its rule and exceptions stay those of the same
 * occurrences, the first one is the written one, and all of it is on the written clock.
 */
export function keptIcalRecurrence(series: StoredIcalRecurrence, before: Times, after: Times): StoredIcalRecurrence {
  const [was, is] = [before.span, after.span];
  const { zone } = firstOf(after);
  const { allDay } = is;
  const to = { allDay, tzid: zone && after.tzid };
  const isSameStart = was.starts === is.starts && isOnSameClock({ from: series, to: { ...series, ...to } });
  const isSameLength = was.ends - was.starts === is.ends - is.starts && was.allDay === allDay;
  return whole(
    shiftSeries(series, {
      ...to,
      start: isSameStart ? series.start : localOn({ allDay, zone }, is.starts),
      duration: isSameLength ? series.duration : lengthOf(is),
    }),
  );
}
