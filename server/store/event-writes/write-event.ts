import type { Database, Query } from "@/server/db/client";
import { gathered } from "@/server/db/gathered";
import { run } from "@/server/db/statement";
import {
  type EventToWrite,
  type EventWrite,
  type Planned,
  type ReadToWrite,
  writtenAlone,
} from "@/server/store/event-writes/event-write";
import { goesTogether, newEvents } from "@/server/store/event-writes/insert-together";
import { eventToWrite } from "@/server/store/event-writes/write-event.sql";
import { livingOf } from "@/server/store/events/event-record";
import { fitOneStatement, writeRows } from "@/server/store/events/occurrence-rows";

/** Reads what a write of an event is decided by. Undefined: the account has no such calendar. */
export async function readToWrite(query: Query, event: EventToWrite): Promise<ReadToWrite | undefined> {
  const { calendarId, accountId, eventId } = event;
  const [row] = await run(query, eventToWrite, [calendarId, accountId, eventId]);
  if (!row) return undefined;
  const { provider, readonly, integratedConferencing, invites, version, ownTexts, ...record } = row;
  const calendar = { id: calendarId, provider, readonly, integratedConferencing, invites };
  return { calendar, living: version === null ? null : { version, ownTexts, ...livingOf(record) } };
}

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
  const { id, calendarId, eventId, planned, isInTransaction } = write;
  const written =
    !isInTransaction && goesTogether(write)
      ? await gathered(query, newEvents, write)
      : await writtenAlone(query, write);
  if (!written) return false;
  db.wrote(1 + ("rows" in planned ? planned.rows.length + planned.gone.length : 0));
  if (!fits(planned) && "rows" in planned)
    await writeRows(query, { calendarId, masterId: id, eventId, at: written.at }, planned.rows);
  return true;
}
