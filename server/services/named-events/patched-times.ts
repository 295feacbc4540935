import type { EventState } from "@/server/domain/events/event-state";
import { instantOn, localOn, midnightOf, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Instant } from "@/server/domain/time/instant";
import { type Moment, span } from "@/server/domain/time/moment";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";
import { zone } from "@/server/domain/time/zone";
import type { SentMoment } from "@/server/services/events/moment";
import type { EventPatch } from "@/server/services/named-events/patch-body";
import type { NamedOccurrence } from "@/server/store/events/named-event";

export type EventSpan = EventState["span"];

const SECOND_MS = 1_000;

/** Returns when an occurrence takes place. */
export function shownSpan({ starts, ends, allDay }: NamedOccurrence): EventSpan {
  return { starts: (starts * SECOND_MS) as Instant, ends: (ends * SECOND_MS) as Instant, allDay };
}

/** The times that a patch gives an occurrence. `tzid`: the one inside `start`. */
export interface PatchedTimes {
  span: EventSpan;
  tzid: string | null;
}

/** Reads the new times of a patch. Null: it has none, or those that the occurrence has. */
export function patchedTimes({ start, end }: EventPatch, occurrence: NamedOccurrence): PatchedTimes | null {
  if (!start || !end) return null;
  const times = span(start, end);
  if (typeof times === "string") throw new Error("the schema lets no such span through");
  const { starts, ends, allDay } = times;
  const shown = shownSpan(occurrence);
  const isSame = starts === shown.starts && ends === shown.ends && allDay === shown.allDay;
  return isSame && start.tzid === undefined ? null : { span: { starts, ends, allDay }, tzid: start.tzid ?? null };
}

/** Moves a series as far, on its clock, as one of its occurrences moves, and gives it the occurrence's new length. */
export function movedWith(
  series: EventState,
  occurrence: NamedOccurrence,
  { span: to, tzid }: PatchedTimes,
): EventSpan {
  const from = shownSpan(occurrence);
  const length = to.ends - to.starts;
  const was = clockOf(series.span, series.tzid);
  const is = clockOf(to, tzid ?? series.tzid);
  const toDay = (local: LocalTime) => (to.allDay || from.allDay ? midnightOf(local) : local);
  const first = toDay(localOn(was, series.span.starts));
  const shift = localOn(is, to.starts) - toDay(localOn({ ...was, allDay: from.allDay }, from.starts));
  const starts = instantOn(is, (first + shift) as LocalTime);
  return { starts, ends: (starts + length) as Instant, allDay: to.allDay };
}

function clockOf({ allDay }: EventSpan, tzid: string | null): SeriesClock {
  return { allDay, zone: tzid === null ? null : zone(tzid) };
}

/** Writes a span as the moments that a body has. */
export function momentsOf({ starts, ends, allDay }: EventSpan): { start: SentMoment; end: SentMoment } {
  const moment = (at: Instant): Moment => (allDay ? { kind: "day", day: dayOf(at) } : { kind: "time", at });
  return { start: moment(starts), end: moment(ends) };
}
