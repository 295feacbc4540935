import type { Query } from "@/server/db/client";
import type { Gathering } from "@/server/db/gathered";
import { run } from "@/server/db/statement";
import { insertTogether } from "@/server/store/event-writes/insert-together.sql";
import { type EventStatement, rowNames } from "@/server/store/event-writes/write-event.sql";
import { wordNames } from "@/server/store/events/events.sql";

/** A write with its own statement, and the values of that by their names. */
export interface ValuedWrite {
  calendarId: string;
  isQueued: boolean;
  statement: EventStatement;
  values: Record<string, unknown>;
}

/** Characters of one event. Those of a larger one would keep the others waiting. */
const MOST_CHARACTERS = 16_000;

/** Whether the write of a new event, by its values, may go together with others: it has one occurrence, and is not large. */
export function goesTogether({ values }: ValuedWrite): boolean {
  const { row_uid: uids } = values;
  if (!Array.isArray(uids) || uids.length !== 1) return false;
  let characters = 0;
  for (const name of wordNames) {
    const value = values[name];
    if (typeof value === "string") characters += value.length;
  }
  return characters <= MOST_CHARACTERS;
}

export async function writtenAlone(
  query: Query,
  { statement, values }: ValuedWrite,
): Promise<{ at: string } | undefined> {
  const [written] = await run(
    query,
    statement,
    statement.names.map((name) => values[name]),
  );
  return written;
}

/** New events, one in each calendar. */
export const newEvents: Gathering<ValuedWrite, { at: string }> = {
  alone: writtenAlone,
  many: insertTogether,
  manyValues: (writes) => [JSON.stringify(writes.map(asGiven))],
  apart: ({ calendarId }) => calendarId,
  isTriedAlone: true,
};

/** As `insertTogether` reads it. */
function asGiven({ isQueued, values }: ValuedWrite, place: number): object {
  const given: Record<string, unknown> = { ...values, place, is_queued: isQueued };
  for (const name of rowNames) {
    const list = values[name];
    given[name] = Array.isArray(list) ? list[0] : null;
  }
  return given;
}
