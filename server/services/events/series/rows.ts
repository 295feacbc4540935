import { isLongSpan } from "@/server/domain/events/moment";
import { type Claim, type FreeBusyStatus, freeBusyStatus, occurrenceState } from "@/server/domain/free-busy";
import { occurrenceUid } from "@/server/domain/ids";
import { lastRuleDay, ruleDays } from "@/server/domain/recurrence/days";
import { type InstantRange, type Series, seriesOccurrences } from "@/server/domain/recurrence/series";
import { type Day, formatDay, utcMidnight } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { OccurrenceChanges } from "@/server/services/events/row";

/** One row of `occurrences` as it should be; times in milliseconds. */
export interface OccurrenceRow {
  uid: string;
  /** The original day; null for a single event. */
  day: string | null;
  first: boolean;
  allDay: boolean;
  isLong: boolean;
  state: number;
  starts: Instant;
  ends: Instant;
  freeBusy: FreeBusyStatus;
  changes: OccurrenceChanges | null;
}

export interface Materialised {
  rows: OccurrenceRow[];
  /** The event_uid of the first occurrence; null when every day is skipped, and for a single event. */
  firstUid: string | null;
  /** Until when all occurrences are among the rows; null when there are no others. */
  coveredUntil: Instant | null;
}

const FIRST_LOOK_DAYS = 64;

/** What an event of these words does to its owner's time: a declined invitation is left out of free/busy. */
export function standing(claim: Claim): Pick<OccurrenceRow, "state" | "freeBusy"> {
  const isDeclined = claim.participationStatus === "declined";
  return { state: isDeclined ? occurrenceState.declined : occurrenceState.live, freeBusy: freeBusyStatus(claim) };
}

/** The one row of a single event. */
export function singleRow(
  id: string,
  span: { starts: Instant; ends: Instant; allDay: boolean },
  claim: Claim,
): OccurrenceRow {
  const { starts, ends, allDay } = span;
  return {
    uid: id,
    day: null,
    first: true,
    allDay,
    isLong: isLongSpan(span),
    starts,
    ends,
    changes: null,
    ...standing(claim),
  };
}

/** The rows of a series within a range of instants. */
export function seriesRows(
  id: string,
  series: Series,
  { range, claim }: { range: InstantRange; claim: Claim },
): Materialised {
  const stands = standing(claim);
  const firstDay = firstLivingDay(series);
  const rows = seriesOccurrences(series, range).map((occurrence) => ({
    uid: occurrenceUid(id, occurrence),
    day: formatDay(occurrence.day),
    first: occurrence.day === firstDay,
    allDay: occurrence.allDay,
    isLong: isLongSpan(occurrence),
    starts: occurrence.starts,
    ends: occurrence.ends,
    changes: occurrence.changes,
    ...stands,
  }));
  return {
    rows,
    firstUid: firstDay === null ? null : occurrenceUid(id, { day: firstDay }),
    coveredUntil: endsBefore(series, range.to) ? null : range.to,
  };
}

/** Whether no occurrence lies at or after an instant, moved ones included. */
function endsBefore({ rule, firstDay, changed }: Series, at: Instant): boolean {
  const last = lastRuleDay(rule, firstDay);
  return (
    last !== null &&
    utcMidnight((last + 2) as Day) < at &&
    changed.every(({ span }) => span === null || span.starts < at)
  );
}

/** The first day that is not skipped: where the rule of the series is shown. */
function firstLivingDay({ rule, firstDay, skipped }: Series): Day | null {
  const gone = new Set(skipped);
  const last = lastRuleDay(rule, firstDay);
  for (let reach = FIRST_LOOK_DAYS; ; reach *= 4) {
    const to = (firstDay + reach) as Day;
    const found = ruleDays(rule, firstDay, { from: firstDay, to }).find((day) => !gone.has(day));
    if (found !== undefined) return found;
    if (last !== null && to > last) return null;
  }
}
