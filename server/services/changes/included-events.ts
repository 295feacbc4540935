import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Vocabulary } from "@/server/domain/wire-names";
import { singleEventWriter } from "@/server/services/reads/events/single-event";
import type { ChangeRow } from "@/server/store/changes/changes.sql";
import { includedEvents } from "@/server/store/changes/included.sql";
import { PAGE_BYTES } from "@/server/store/events/pages/returned";

/** The events of a page of changes, as GET /v1/events writes them in UTC. */
export interface Included {
  /** By the position of the change. Missing: the calendar has no such event. */
  events: ReadonlyMap<number, object>;
  /** How many of the changes fit on the page with their events. */
  fitting: number;
}

/** Reads the events of changes, until they reach the bytes of a page of events. */
export async function eventsOfChanges(
  query: Query,
  changes: readonly ChangeRow[],
  { calendarIds, names }: { calendarIds: readonly string[]; names: Vocabulary },
): Promise<Included> {
  const rows = await run(query, includedEvents, [
    changes.map(({ place }) => calendarIds[place] ?? ""),
    changes.map(({ eventRow }) => eventRow),
    changes.map(({ occurrenceDate }) => occurrenceDate),
    PAGE_BYTES,
  ]);
  const write = singleEventWriter(names);
  const events = new Map(rows.map((row) => [row.place, JSON.parse(write(row, row)) as object]));
  const isFull = rows.reduce((sum, { bytes }) => sum + bytes, 0) >= PAGE_BYTES;
  return { events, fitting: isFull ? (rows.at(-1)?.place ?? 0) + 1 : changes.length };
}
