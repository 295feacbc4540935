import type { OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Claim } from "@/server/domain/free-busy";
import { type OccurrenceKey, occurrenceUid } from "@/server/domain/ids";
import type { Pieces } from "@/server/domain/pieces";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import {
  expandIcalInPieces,
  type IcalOccurrence,
  type IcalRecurrence,
} from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { InstantRange } from "@/server/domain/recurrence/series";
import { formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { isLongSpan } from "@/server/domain/time/moment";
import { zone } from "@/server/domain/time/zone";
import {
  type ExpandedEvent,
  type OccurrenceRow,
  occurrenceStatus,
  widenAllDay,
} from "@/server/store/events/rule-occurrences";

/** The most rows of one series at once: a quarter-hourly series over the stored window. */
const MOST_ROWS = 27_000;
/** A denser series, such as FREQ=SECONDLY, keeps only this many rows: nobody meets that often, and each row costs time to store. */
const ROWS_OF_DENSE = 1_000;
const ROWS_A_PIECE = 100;
/** The stored window is longer than what reads return. */
const WORK = 2 * SERIES_STEPS;
const DAY_MS = 86_400_000;
/** How far ahead a series is searched for further occurrences before it counts as ended. */
const FAR_MS = 50 * 366 * DAY_MS;

/**
 * Expands a provider's series within a range. An occurrence at the series' own time of day is named by its day, as in
 * the application's series. Every other one is named by its time too, so that no name depends on another occurrence. In
 * pieces.
 */
export function* icalRows(
  id: string,
  { tzid, ...given }: StoredIcalRecurrence,
  { range, state }: { range: InstantRange; state: Claim },
): Pieces<ExpandedEvent> {
  const series = { ...given, zone: tzid === null ? null : zone(tzid) };
  const hasDates = series.allDay || series.overrides.some(({ allDay }) => allDay);
  const expanded = yield* expandIcalInPieces(series, widenAllDay(range, hasDates), { steps: WORK });
  const { occurrences, exhausted } = expanded;
  const problems = [...expanded.problems];
  const isDense = occurrences.length > MOST_ROWS;
  if (exhausted || isDense) problems.push("more occurrences than are kept");
  const rows: OccurrenceRow[] = [];
  for (const occurrence of isDense ? occurrences.slice(0, ROWS_OF_DENSE) : occurrences) {
    if (rows.length % ROWS_A_PIECE === 0) yield;
    rows.push(row(occurrenceUid(id, keyOf(occurrence, series)), occurrence, { allDay: series.allDay, state }));
  }
  const ended = isDense || (yield* hasEnded(series, range.to));
  return { rows, firstUid: null, coveredUntil: ended ? null : range.to, problems };
}

function keyOf({ day, recurrenceId }: IcalOccurrence, { allDay, start }: IcalRecurrence): OccurrenceKey {
  const isOwnTime = allDay || timeOfDay(recurrenceId) === timeOfDay(start);
  return isOwnTime ? { day } : { day, time: recurrenceId };
}

function timeOfDay(local: number): number {
  return ((local % DAY_MS) + DAY_MS) % DAY_MS;
}

/** Checks that no occurrence follows an instant, so that the series need not be continued. */
function* hasEnded(series: IcalRecurrence<OccurrenceChanges>, at: Instant): Pieces<boolean> {
  if (!series.rrules.every((rule) => /\b(COUNT|UNTIL)=/i.test(rule))) return false;
  const budget: Budget = { steps: SERIES_STEPS };
  const ahead = yield* expandIcalInPieces(series, { from: at, to: (at + FAR_MS) as Instant }, budget);
  return ahead.occurrences.length === 0 && !ahead.exhausted;
}

function row(
  uid: string,
  { day, starts, ends, override }: IcalOccurrence<OccurrenceChanges>,
  { allDay, state }: { allDay: boolean; state: Claim },
): OccurrenceRow {
  const changes = override && Object.keys(override.fields).length > 0 ? override.fields : null;
  const claim: Claim = {
    transparency: changes?.transparency ?? state.transparency,
    status: changes?.status ?? state.status,
    participationStatus: changes?.participation_status ?? state.participationStatus,
  };
  const span = { starts, ends };
  return {
    uid,
    day: formatDay(day),
    first: false,
    allDay: override?.allDay ?? allDay,
    isLong: isLongSpan(span),
    ...span,
    changes,
    ...occurrenceStatus(claim),
  };
}
