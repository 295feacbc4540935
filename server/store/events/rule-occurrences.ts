import type { OccurrenceChanges } from "@/server/domain/events/event-state";
import { type Claim, type FreeBusyStatus, freeBusyStatus, occurrenceState } from "@/server/domain/free-busy";
import { occurrenceUid } from "@/server/domain/ids";
import { lastRuleDay, ruleDays } from "@/server/domain/recurrence/days";
import { type InstantRange, type Occurrence, type Series, seriesOccurrences } from "@/server/domain/recurrence/series";
import { occurrenceSpan } from "@/server/domain/recurrence/spans";
import { type Day, dayFromCivil, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { isLongSpan } from "@/server/domain/time/moment";
import { utcMidnight } from "@/server/domain/time/utc-day";

/** One row of `occurrences` as it should be, with times in milliseconds. */
export interface OccurrenceRow {
  uid: string;
  /** The original day. Null for a single event. */
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

export interface ExpandedEvent {
  rows: OccurrenceRow[];
  /** The event_uid of the first occurrence, or of the first day when every day is skipped. Null for a single event. */
  firstUid: string | null;
  /** How far the rows include all occurrences. Null when there are no others. */
  coveredUntil: Instant | null;
  /** What could not be read or stored of a provider's series, never its text. */
  problems?: readonly string[];
}

const FIRST_LOOK_DAYS = 64;
const LAST_DAY = dayFromCivil(9999, 12, 31);
const DAY_MS = 86_400_000;

/** Returns an event's state and free/busy status: free/busy omits declined invitations. */
export function occurrenceStatus(claim: Claim): Pick<OccurrenceRow, "state" | "freeBusy"> {
  const isDeclined = claim.participationStatus === "declined";
  return { state: isDeclined ? occurrenceState.declined : occurrenceState.live, freeBusy: freeBusyStatus(claim) };
}

/** Returns the single row of an event that does not repeat. */
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
    ...occurrenceStatus(claim),
  };
}

/** Widens a range for all-day rows, which are UTC midnights: in zones ahead of UTC their days begin up to 14 hours earlier. */
export function widenAllDay({ from, to }: InstantRange, allDay: boolean): InstantRange {
  return allDay ? { from, to: (to + DAY_MS) as Instant } : { from, to };
}

/**
 * Expands a series within a range of instants, and for those of the `known` days that the series has, wherever they
 * are: an occurrence that was moved out of the range still exists.
 */
export function seriesRows(
  id: string,
  series: Series,
  { range, claim, known }: { range: InstantRange; claim: Claim; known: readonly Day[] },
): ExpandedEvent {
  const stands = occurrenceStatus(claim);
  const firstDay = firstLivingDay(series);
  const hasDates = series.first.allDay || series.changed.some(({ span }) => span?.allDay);
  const occurrences = seriesOccurrences(series, widenAllDay(range, hasDates));
  const rows = [...occurrences, ...occurrencesOn(series, omitDays(known, occurrences))].map((occurrence) => ({
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
    firstUid: occurrenceUid(id, { day: firstDay ?? series.firstDay }),
    coveredUntil: endsBefore(series, range.to) ? null : range.to,
  };
}

function omitDays(days: readonly Day[], found: readonly Occurrence[]): Day[] {
  const have = new Set(found.map(({ day }) => day));
  return days.filter((day) => !have.has(day)).sort((a, b) => a - b);
}

/** Returns the occurrences of those days that the series has, in ascending order. */
function occurrencesOn(series: Series, days: readonly Day[]): Occurrence[] {
  const [from, last] = [days[0], days.at(-1)];
  if (from === undefined || last === undefined) return [];
  const has = new Set(ruleDays(series.rule, series.firstDay, { from, to: (last + 1) as Day }));
  for (const day of series.skipped) has.delete(day);
  const changes = new Map(series.changed.map((change) => [change.day, change]));
  return days
    .filter((day) => has.has(day))
    .map((day) => {
      const { span = null, texts = {} } = changes.get(day) ?? {};
      const { starts, ends } = span ?? occurrenceSpan(series, day);
      const allDay = span?.allDay ?? series.first.allDay;
      return { day, starts, ends, allDay, changes: Object.keys(texts).length > 0 ? texts : null };
    });
}

/** Checks that no occurrence is at or after an instant, including moved ones. */
function endsBefore({ rule, firstDay, changed }: Series, at: Instant): boolean {
  const last = lastRuleDay(rule, firstDay);
  return (
    last !== null &&
    utcMidnight((last + 2) as Day) < at &&
    changed.every(({ span }) => span === null || span.starts < at)
  );
}

/** Returns the first day that is not skipped, which shows the rule of the series. */
function firstLivingDay({ rule, firstDay, skipped }: Series): Day | null {
  const gone = new Set(skipped);
  const last = lastRuleDay(rule, firstDay) ?? LAST_DAY;
  for (let reach = FIRST_LOOK_DAYS; ; reach *= 4) {
    const to = (firstDay + reach) as Day;
    const livingDay = ruleDays(rule, firstDay, { from: firstDay, to }).find((day) => !gone.has(day));
    if (livingDay !== undefined) return livingDay;
    if (to > last) return null;
  }
}
