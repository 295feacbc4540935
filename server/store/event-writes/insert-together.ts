import type { Query } from "@/server/db/client";
import type { Gathering } from "@/server/db/gathered";
import { run } from "@/server/db/statement";
import { insertTogether } from "@/server/store/event-writes/insert-together.sql";
import type { EventStatement } from "@/server/store/event-writes/write-event.sql";

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
  const texts = Object.values(values).filter((value) => typeof value === "string");
  return texts.reduce((sum, text) => sum + text.length, 0) <= MOST_CHARACTERS;
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
  const row = Object.entries(values).filter(([name]) => name.startsWith("row_"));
  return {
    ...values,
    place,
    is_queued: isQueued,
    ...Object.fromEntries(row.map(([name, list]) => [name, Array.isArray(list) ? list[0] : null])),
  };
}
