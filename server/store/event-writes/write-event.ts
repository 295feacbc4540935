import type { Database, Query } from "@/server/db/client";
import { databaseFault } from "@/server/db/faults";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { type BatchLookup, loadBatched } from "@/server/store/batch-loader";
import {
  type EventToWrite,
  type EventWrite,
  type ReadToWrite,
  type WritePlan,
  writtenAlone,
} from "@/server/store/event-writes/event-write";
import { goesTogether, newEvents } from "@/server/store/event-writes/insert-together";
import { type QueuedWrite, queueValues } from "@/server/store/event-writes/queue-values";
import {
  eventsToWrite,
  eventToWrite,
  lockLivingEvent,
  lockLivingRow,
  type RecordToWrite,
} from "@/server/store/event-writes/write-event.sql";
import { lockCalendarRow } from "@/server/store/events/continue-series.sql";
import { livingOf } from "@/server/store/events/event-record";
import { plannedInsert, plannedUpdate } from "@/server/store/events/event-rows";
import { fitOneStatement, writeRows } from "@/server/store/events/occurrence-rows";

/** Reads for the writes that come at once together, as their new events are inserted (ADR 76). */
const recordsToWrite: BatchLookup<EventToWrite, RecordToWrite> = {
  alone: async (query, { calendarId, accountId, eventId }) =>
    (await run(query, eventToWrite, [calendarId, accountId, eventId]))[0],
  many: eventsToWrite,
  manyValues: (events) => [
    events.map(({ calendarId }) => calendarId),
    events.map(({ accountId }) => accountId),
    events.map(({ eventId }) => eventId),
  ],
};

/** Reads what a write of an event is decided by. Undefined: the account has no such calendar. */
export async function readToWrite(query: Query, event: EventToWrite): Promise<ReadToWrite | undefined> {
  const { calendarId } = event;
  const row = await loadBatched(query, recordsToWrite, event);
  if (!row) return undefined;
  const { provider, readonly, integratedConferencing, invites, version, ownTexts, ...record } = row;
  const calendar = { id: calendarId, provider, readonly, integratedConferencing, invites };
  return { calendar, living: version === null ? null : { version, ownTexts, ...livingOf(record) } };
}

/** Locks the calendar, so that writes in it go one after another, then the event. */
export async function lockToWrite(query: Query, calendarId: string, eventId: string): Promise<void> {
  await run(query, lockCalendarRow, [calendarId]);
  await lockEvent(query, calendarId, eventId);
}

/** Locks the row of an event whose calendar is locked, because a push writes to it without. */
export async function lockEvent(query: Query, calendarId: string, eventId: string): Promise<void> {
  await run(query, lockLivingEvent, [calendarId, eventId]);
}

/** Locks like `lockToWrite`, by the id of the event's row. */
export async function lockRowToWrite(query: Query, calendarId: string, id: string): Promise<void> {
  await run(query, lockCalendarRow, [calendarId]);
  await run(query, lockLivingRow, [calendarId, id]);
}

export interface DecidedWrite extends EventToWrite {
  read: ReadToWrite;
  /** Null: it is deleted. */
  after: EventState | null;
  /** `events.own_texts` */
  ownTexts: readonly string[] | null;
  /** Whether guests are notified. */
  notify: boolean;
  /** What else the provider's queue is told (`QueuedWrite`). */
  queued?: Pick<QueuedWrite, "isConditional" | "replies">;
  now: Instant;
  /** The id of a new event's row. Omitted: any. */
  id?: string;
  /** Whether `query` is of a transaction that has locked the calendar and the event. */
  isLocked: boolean;
}

/** `conflict`: nothing was written. `queued`: written, and its provider has to be told. */
export type WriteOutcome = "written" | "queued" | "conflict";

/**
 * Writes an event in one statement, with its occurrences and what its provider has to be told. That is a conflict if the event or its calendar
 * has changed since it was read, and unless they are locked also where its occurrences take several statements (ADR 38). New single events
 * that come at once are written together (ADR 76).
 */
export async function writeEvent(db: Database, query: Query, decided: DecidedWrite): Promise<WriteOutcome> {
  const { read, after, ownTexts, notify, queued, now, isLocked, id: newRow = newId("evt"), ...event } = decided;
  const id = read.living?.id ?? newRow;
  const planned = await plan(query, { id, read, after, now });
  const isWhole = !("rows" in planned) || fitOneStatement(planned.rows);
  if (!isWhole && !isLocked) return "conflict";
  const before = read.living?.state ?? null;
  const queue = queueValues(read.calendar.provider, { eventRow: id, before, after, notify, ...queued });
  const write: EventWrite = { id, read, planned, ownTexts, queue, ...event };
  const written = goesTogether(write) ? await loadBatched(query, newEvents, write) : await writtenAlone(query, write);
  if (!written) return "conflict";
  const { calendarId, eventId } = event;
  if ("rows" in planned && !isWhole)
    await writeRows(query, { calendarId, masterId: id, eventId, at: written.at }, planned.rows);
  db.wrote(1 + ("rows" in planned ? planned.rows.length + planned.gone.length : 0));
  return queue ? "queued" : "written";
}

/** Takes a deadlock for a conflict: nothing was written. */
export function conflictOf(error: unknown): "conflict" {
  if (databaseFault(error) === "collision") return "conflict";
  throw error;
}

type ToPlan = Pick<DecidedWrite, "read" | "after" | "now"> & { id: string };

async function plan(query: Query, { id, read, after, now }: ToPlan): Promise<WritePlan> {
  if (after === null) return { kind: "delete" };
  if (read.living) return await plannedUpdate(query, read.living, { calendarId: read.calendar.id, state: after, now });
  return { kind: "insert", ...(await plannedInsert(id, after, now)) };
}
