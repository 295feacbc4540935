import type { Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { runOne } from "@/server/db/statement";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { slices } from "@/server/event-loop";
import type { EventParts } from "@/server/providers/writing";
import { columnsOf, coveredUntilText, rowsOf } from "@/server/store/events/event-rows";
import { insertEventRows } from "@/server/store/events/events.sql";
import { insertRowsOfMany } from "@/server/store/events/occurrence-rows";
import type { ExpandedEvent } from "@/server/store/events/rule-occurrences";

export interface NewEvent {
  eventId: string | null;
  externalId: string;
  version: string | null;
  parts: EventParts;
  state: EventState;
}

/** How many occurrences and characters of text are written together. A larger event is written alone. */
const MOST_ROWS = 10_000;
const MOST_CHARACTERS = 500_000;

interface PreparedEvent {
  id: string;
  event: NewEvent;
  made: ExpandedEvent;
  columns: Record<string, unknown>;
}

/** Stores new events with their occurrences, in few statements. Returns what could not be read or stored of providers' series. */
export async function insertMany(
  query: Query,
  { calendarId, now }: { calendarId: string; now: Instant },
  events: readonly NewEvent[],
): Promise<{ externalId: string; reason: string }[]> {
  const problems: { externalId: string; reason: string }[] = [];
  const pause = slices();
  let piece: PreparedEvent[] = [];
  let [rows, characters] = [0, 0];
  for (const event of events) {
    const id = newId("evt");
    const made = await rowsOf(id, event.state, now, []);
    problems.push(...(made.problems ?? []).map((reason) => ({ externalId: event.externalId, reason })));
    const columns = columnsOf(event.state, made);
    const length = lengthOf(columns);
    if (piece.length > 0 && (rows + made.rows.length > MOST_ROWS || characters + length > MOST_CHARACTERS)) {
      await insertPiece(query, calendarId, piece);
      piece = [];
      [rows, characters] = [0, 0];
    }
    piece.push({ id, event, made, columns });
    rows += made.rows.length;
    characters += length;
    await pause();
  }
  if (piece.length > 0) await insertPiece(query, calendarId, piece);
  return problems;
}

async function insertPiece(query: Query, calendarId: string, piece: readonly PreparedEvent[]): Promise<void> {
  const records = piece.map(({ id, event, columns }) => ({
    id,
    event_id: event.eventId,
    external_id: event.externalId,
    etag: event.version,
    parts: partsColumn(event.parts),
    ...columns,
  }));
  const written = await runOne(query, insertEventRows, [calendarId, earliestCovered(piece), JSON.stringify(records)]);
  const owned = piece.flatMap(({ id, event, made }) =>
    made.rows.map((row) => ({ masterId: id, eventId: event.eventId, row })),
  );
  if (owned.length > 0) await insertRowsOfMany(query, { calendarId, at: written.at }, owned);
}

/** Formats an event's parts. Null: it has none of its own. */
export function partsColumn(parts: EventParts): string | null {
  return Object.keys(parts).length === 0 ? null : JSON.stringify(parts);
}

function lengthOf(columns: Record<string, unknown>): number {
  return Object.values(columns).reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}

/** Returns how far the occurrences of all events are stored. */
function earliestCovered(piece: readonly PreparedEvent[]): string | null {
  return piece.flatMap(({ made }) => coveredUntilText(made) ?? []).sort()[0] ?? null;
}
