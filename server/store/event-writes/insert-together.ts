import { formatInstant } from "@/server/domain/time/instant";
import type { BatchLookup } from "@/server/store/batch-loader";
import {
  commonValues,
  type EventWrite,
  type PlannedInsert,
  writtenAlone,
} from "@/server/store/event-writes/event-write";
import { type GivenTogether, insertTogether } from "@/server/store/event-writes/insert-together.sql";
import { wordNames } from "@/server/store/events/events.sql";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

/** Limits the characters of one event: a larger one would keep the others waiting. */
const MOST_CHARACTERS = 16_000;

type NewEvent = EventWrite<PlannedInsert>;

/** Says whether the write of a new event may go together with others: it has one occurrence, and is not large. */
export function goesTogether(write: EventWrite): write is NewEvent {
  const { planned } = write;
  if (planned.kind !== "insert" || planned.rows.length !== 1) return false;
  let characters = 0;
  for (const name of wordNames) {
    const value = planned.columns[name];
    if (typeof value === "string") characters += value.length;
  }
  return characters <= MOST_CHARACTERS;
}

/** Inserts new events, one in each calendar, and by itself what was left out. */
export const newEvents: BatchLookup<NewEvent, { at: string }> = {
  alone: writtenAlone,
  many: insertTogether,
  manyValues: (writes) => [`[${writes.map(asGiven).join(",")}]`],
  apart: ({ calendarId }) => calendarId,
  isTriedAlone: true,
};

/** Writes an event as `insertTogether` reads it. Its parts are joined, because their names are all different. */
function asGiven(write: NewEvent, place: number): string {
  const { eventId, planned, queue } = write;
  const [row] = planned.rows;
  if (!row) throw new Error("a new event has no occurrence");
  const until = planned.columns.covered_until;
  const own = { place, is_queued: queue !== null, event_id: eventId, until } satisfies Partial<GivenTogether>;
  const parts = [own, commonValues(write), planned.columns, rowGiven(row), ...(queue ? [queue] : [])];
  return `{${parts.map(membersOf).join(",")}}`;
}

function rowGiven({ uid, day, first, allDay, isLong, state, starts, ends, freeBusy, changes }: OccurrenceRow) {
  return {
    row_uid: uid,
    row_day: day,
    row_first: first,
    row_all_day: allDay,
    row_is_long: isLong,
    row_state: state,
    row_starts: formatInstant(starts),
    row_ends: formatInstant(ends),
    row_free_busy: freeBusy,
    row_changes: changes && JSON.stringify(changes),
  } satisfies Partial<GivenTogether>;
}

/** Gives the members of an object as JSON, without its braces. */
function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
