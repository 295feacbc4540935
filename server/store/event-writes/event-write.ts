import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { CalendarToWrite } from "@/server/store/calendars/calendars.sql";
import * as sql from "@/server/store/event-writes/write-event.sql";
import type { LivingEvent } from "@/server/store/events/event-record";
import type { PlannedEvent, PlannedUpdate } from "@/server/store/events/event-rows";
import { arrayTexts, fitOneStatement, type RowChanges } from "@/server/store/events/occurrence-rows";

export interface EventToWrite {
  calendarId: string;
  accountId: string;
  /** The application's id of the event. Null: others created it. */
  eventId: string | null;
}

/** An event as it was read for a write, which is carried out only if it is still the same. */
export interface ReadToWrite {
  calendar: CalendarToWrite;
  /** Null: there is no such event. */
  living: (LivingEvent & { version: string; ownTexts: readonly string[] | null }) | null;
}

export type PlannedInsert = PlannedEvent & { kind: "insert" };

/** What becomes of the event. */
export type WritePlan = PlannedInsert | PlannedUpdate | { kind: "delete" };

export interface EventWrite<What extends WritePlan = WritePlan> extends EventToWrite {
  /** The id of the event's row. */
  id: string;
  read: ReadToWrite;
  planned: What;
  /** `events.own_texts` */
  ownTexts: readonly string[] | null;
  /** Null: no provider has to be told. */
  queue: Record<string, unknown> | null;
}

const statements = {
  insert: [sql.insertOne, sql.insertAndQueue],
  words: [sql.changeWords, sql.changeWordsAndQueue],
  state: [sql.changeOne, sql.changeAndQueue],
  delete: [sql.deleteOne, sql.deleteAndQueue],
} as const;

/** Values of a statement by their names. */
type Values = Readonly<Record<string, unknown>>;

/** Carries a write out by its own statement. Gives nothing where it wrote nothing. */
export async function writtenAlone(query: Query, write: EventWrite): Promise<{ at: string } | undefined> {
  const [withoutQueue, withQueue] = statements[write.planned.kind];
  const statement = write.queue ? withQueue : withoutQueue;
  const parts = valuesOf(write);
  const values = statement.names.map((name) => parts.find((part) => name in part)?.[name] ?? null);
  const [written] = await run(query, statement, values);
  return written;
}

/** Gives what the statements of every kind take of the calendar and the event. */
export function commonValues({ id, calendarId, accountId, read, ownTexts }: EventWrite): Values {
  return {
    calendar_id: calendarId,
    id,
    account_id: accountId,
    own_texts: ownTexts,
    integrated_conferencing: read.calendar.integratedConferencing,
    invites: read.calendar.invites,
  };
}

/** Gives the values in parts: one object of so many names, put together for each write, costs more than the event's own rules do. */
function valuesOf(write: EventWrite): readonly Values[] {
  const { eventId, read, planned, queue } = write;
  const common = commonValues(write);
  const version = { version: read.living?.version };
  switch (planned.kind) {
    case "delete":
      return [common, version, queue ?? {}];
    case "words":
      return [common, version, { is_moved: true }, planned.columns, queue ?? {}];
    case "state": {
      const { isMoved, columns, gone } = planned;
      const until = columns.covered_until;
      return [common, version, { is_moved: isMoved, until, gone }, columns, rowValues(planned), queue ?? {}];
    }
    case "insert": {
      const names = { event_id: eventId, until: planned.columns.covered_until };
      return [common, names, planned.columns, rowValues(planned), queue ?? {}];
    }
  }
}

function rowValues({ rows }: RowChanges): Values {
  const columns = arrayTexts(fitOneStatement(rows) ? rows : []);
  return Object.fromEntries(sql.rowNames.map((name, i) => [name, columns[i]]));
}
