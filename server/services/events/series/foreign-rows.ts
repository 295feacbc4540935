import { isLongSpan } from "@/server/domain/events/moment";
import type { Claim } from "@/server/domain/free-busy";
import { type OccurrenceKey, occurrenceUid } from "@/server/domain/ids";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import {
  expandForeign,
  type ForeignOccurrence,
  type ForeignSeries,
} from "@/server/domain/recurrence/rfc5545/foreign-series";
import type { InstantRange } from "@/server/domain/recurrence/series";
import { formatDay } from "@/server/domain/time/day";
import { zone } from "@/server/domain/time/zone";
import type { OccurrenceChanges } from "@/server/services/events/row";
import { type Materialised, type OccurrenceRow, standing, widened } from "@/server/services/events/series/rows";

/** Rows of one series at most: a rule by the minute must not fill a calendar. */
const MOST_ROWS = 5_000;

/** `events.foreign_rule`: a series as its provider hands it over, its zone by name. */
export type StoredForeign = Omit<ForeignSeries<OccurrenceChanges>, "zone"> & { tzid: string | null };

/**
 * The rows of a provider's series within a range. The first occurrence of a day is named by its day, as those of the
 * application's series are; further ones of the same day by their time too.
 */
export function foreignRows(
  id: string,
  { tzid, ...series }: StoredForeign,
  { range, state }: { range: InstantRange; state: Claim },
): Materialised {
  const { occurrences } = expandForeign(
    { ...series, zone: tzid === null ? null : zone(tzid) },
    widened(range, series.allDay),
    {
      steps: SERIES_STEPS,
    },
  );
  const named = new Set<number>();
  const rows = [...occurrences]
    .sort((a, b) => a.recurrenceId - b.recurrenceId)
    .slice(0, MOST_ROWS)
    .map((occurrence) => {
      const key: OccurrenceKey = named.has(occurrence.day)
        ? { day: occurrence.day, time: occurrence.recurrenceId }
        : { day: occurrence.day };
      named.add(occurrence.day);
      return row(occurrenceUid(id, key), occurrence, { allDay: series.allDay, state });
    });
  return { rows, firstUid: null, coveredUntil: range.to };
}

function row(
  uid: string,
  { day, starts, ends, override }: ForeignOccurrence<OccurrenceChanges>,
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
    allDay,
    isLong: isLongSpan(span),
    ...span,
    changes,
    ...standing(claim),
  };
}
