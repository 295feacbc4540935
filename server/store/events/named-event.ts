import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { type LivingEvent, livingOf } from "@/server/store/events/event-record";
import { expandEvent } from "@/server/store/events/expand-event";
import { type NamedRecord, namedEvent } from "@/server/store/events/named-event.sql";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

export interface EventName {
  accountId: string;
  /** The uid of an occurrence, or the id of the event's row, which is `series_identifier`. */
  uid: string;
  /** An original day of the series. Null: the uid says which occurrence, or it is the earliest. */
  day: Day | null;
}

/** One occurrence of an event. Times in epoch seconds. */
export interface NamedOccurrence {
  uid: string;
  /** The original day. Null: a single event. */
  day: string | null;
  first: boolean;
  allDay: boolean;
  starts: number;
  ends: number;
  /** The JSON of what differs from its event. Empty: nothing. */
  changes: string;
  updated: number;
  /** When it last changed, to the microsecond. Empty: it is not stored. */
  at: string;
}

export interface NamedEvent {
  record: NamedRecord;
  living: LivingEvent;
  /** Null: the series has no such occurrence. */
  occurrence: NamedOccurrence | null;
}

/**
 * Reads an event by a uid with the occurrence that is meant, even one outside of the stored window. Undefined: the
 * account has no such event, or the occurrence of this uid is gone.
 */
export async function readNamedEvent(
  query: Query,
  { accountId, uid, day }: EventName,
): Promise<NamedEvent | undefined> {
  const text = day === null ? null : formatDay(day);
  const [record] = await run(query, namedEvent, [accountId, uid, text]);
  if (!record) return undefined;
  const living = livingOf(record);
  const stored = storedOccurrence(record);
  if (stored) return { record, living, occurrence: stored };
  const isSeries = record.id === uid;
  if (day === null && !isSeries) return undefined;
  const occurrence = await computedOccurrence(record, living, day);
  return occurrence || day !== null ? { record, living, occurrence } : undefined;
}

function storedOccurrence(record: NamedRecord): NamedOccurrence | null {
  const { uid, day, first, allDay, occurrenceStarts: starts, occurrenceEnds: ends, occurrenceUpdated } = record;
  if (uid === null || starts === null || ends === null || occurrenceUpdated === null) return null;
  return {
    ...{ uid, day, starts, ends },
    first: first === true,
    allDay: allDay === true,
    changes: record.changesText ?? "",
    updated: occurrenceUpdated,
    at: record.occurrenceAt ?? "",
  };
}

const DAY_MS = 86_400_000;
/** On either side of a day's midnight in UTC: further away no zone's day begins. */
const AROUND_MS = 2 * DAY_MS;
/** How far a series is searched for its first occurrence. */
const AHEAD_MS = 1_500 * DAY_MS;

/** Computes the occurrence of a day that is not stored, or the first one of a series of which none is. */
async function computedOccurrence(
  { id, eventUpdated }: NamedRecord,
  { state }: LivingEvent,
  day: Day | null,
): Promise<NamedOccurrence | null> {
  if (!state.ruleSeries && !state.icalRecurrence) return null;
  const from = day === null ? state.span.starts : utcMidnight(day);
  const range = {
    from: (from - AROUND_MS) as Instant,
    to: (from + (day === null ? AHEAD_MS : AROUND_MS)) as Instant,
  };
  const { rows } = await expandEvent(id, state, { range, known: day === null ? [] : [day] });
  const text = day === null ? null : formatDay(day);
  const living = rows.filter((row) => row.state !== occurrenceState.deleted && (text === null || row.day === text));
  const [row] = living.sort((one, other) => one.starts - other.starts);
  return row ? occurrenceOf(row, eventUpdated) : null;
}

const SECOND_MS = 1_000;

function occurrenceOf(row: OccurrenceRow, updated: number): NamedOccurrence {
  const { uid, day, first, allDay, changes } = row;
  return {
    ...{ uid, day, first, allDay, updated },
    starts: row.starts / SECOND_MS,
    ends: row.ends / SECOND_MS,
    changes: changes === null ? "" : JSON.stringify(changes),
    at: "",
  };
}
