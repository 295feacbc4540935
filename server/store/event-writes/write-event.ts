import type { Database, Query } from "@/server/db/client";
import { gathered } from "@/server/db/gathered";
import { run } from "@/server/db/statement";
import type { CalendarToWrite } from "@/server/store/calendars/calendars.sql";
import { goesTogether, newEvents, writtenAlone } from "@/server/store/event-writes/insert-together";
import * as sql from "@/server/store/event-writes/write-event.sql";
import { type LivingEvent, livingOf } from "@/server/store/events/event-record";
import type { PlannedEvent, PlannedUpdate } from "@/server/store/events/event-rows";
import { arrays, arrayTexts, fitOneStatement, type RowChanges, writeRows } from "@/server/store/events/occurrence-rows";

export interface EventToWrite {
  calendarId: string;
  accountId: string;
  /** The application's id of the event. */
  eventId: string;
}

/** An event as it was read for a write, which is carried out only if it is still the same. */
export interface ReadToWrite {
  calendar: CalendarToWrite;
  /** Null: there is no such event. */
  living: (LivingEvent & { version: string }) | null;
}

/** Reads what a write of an event is decided by. Undefined: the account has no such calendar. */
export async function readToWrite(query: Query, event: EventToWrite): Promise<ReadToWrite | undefined> {
  const { calendarId, accountId, eventId } = event;
  const [row] = await run(query, sql.eventToWrite, [calendarId, accountId, eventId]);
  if (!row) return undefined;
  const { provider, readonly, integratedConferencing, version, ...record } = row;
  const calendar = { id: calendarId, provider, readonly, integratedConferencing };
  return { calendar, living: version === null ? null : { ...livingOf(record), version } };
}

/** What becomes of the event. */
export type Planned = (PlannedEvent & { kind: "insert" }) | PlannedUpdate | { kind: "delete" };

export interface EventWrite extends EventToWrite {
  /** The id of the event's row. */
  id: string;
  read: ReadToWrite;
  planned: Planned;
  /** Null: no provider has to be told. */
  queue: Record<string, unknown> | null;
  isInTransaction?: boolean;
}

const statements = {
  insert: [sql.insertOne, sql.insertAndQueue],
  words: [sql.changeWords, sql.changeWordsAndQueue],
  state: [sql.changeOne, sql.changeAndQueue],
  delete: [sql.deleteOne, sql.deleteAndQueue],
} as const;

/** Whether one statement takes the write, or it has to be in a transaction. */
export function fits(planned: Planned): boolean {
  return !("rows" in planned) || fitOneStatement(planned.rows);
}

/**
 * Writes an event in one statement, with its occurrences and what its provider has to be told; of a long series the occurrences follow in others.
 * Returns false, and has written nothing, when the event or its calendar has changed since it was read (ADR 38). Outside of a transaction new
 * single events that come at once are written together.
 */
export async function writeEvent(db: Database, query: Query, write: EventWrite): Promise<boolean> {
  const { id, calendarId, eventId, planned, queue, isInTransaction } = write;
  const [withoutQueue, withQueue] = statements[planned.kind];
  const statement = queue ? withQueue : withoutQueue;
  const valued = { calendarId, isQueued: queue !== null, statement, values: valuesOf(write) };
  const isGathered = !isInTransaction && planned.kind === "insert" && goesTogether(valued);
  const written = await (isGathered ? gathered(query, newEvents, valued) : writtenAlone(query, valued));
  if (!written) return false;
  db.wrote(1 + ("rows" in planned ? planned.rows.length + planned.gone.length : 0));
  if (!fits(planned) && "rows" in planned)
    await writeRows(query, { calendarId, masterId: id, eventId, at: written.at }, planned.rows);
  return true;
}

function valuesOf({ id, calendarId, accountId, eventId, read, planned, queue }: EventWrite): Record<string, unknown> {
  const of = {
    calendar_id: calendarId,
    id,
    until: null,
    account_id: accountId,
    integrated_conferencing: read.calendar.integratedConferencing,
    version: read.living?.version ?? null,
    ...queue,
  };
  switch (planned.kind) {
    case "delete":
      return of;
    case "words":
      return { ...of, is_moved: true, ...planned.columns };
    case "state":
      return {
        ...of,
        ...rowValues(planned),
        is_moved: planned.isMoved,
        ...planned.columns,
        until: planned.columns.covered_until,
      };
    case "insert": {
      const names = { event_id: eventId, external_id: null, until: planned.columns.covered_until };
      return Object.assign(rowValues(planned), of, planned.columns, names);
    }
  }
}

function rowValues(changes: RowChanges): Record<string, unknown> {
  const rows = fitOneStatement(changes.rows) ? changes.rows : [];
  // That of a single event may go together with others, and is looked at for it.
  const columns = rows.length === 1 ? arrays(rows) : arrayTexts(rows);
  const values: Record<string, unknown> = { gone: changes.gone };
  for (const [i, name] of sql.rowNames.entries()) values[name] = columns[i];
  return values;
}
