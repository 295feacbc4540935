import type { Query } from "@/server/db/client";
import { run, type Statement } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import { sameJson } from "@/server/domain/same-json";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { slices } from "@/server/event-loop";
import {
  addOccurrences,
  deletedOccurrences,
  insertOccurrences,
  markOccurrencesDeleted,
  occurrencesOfEvent,
  writeOccurrences,
} from "@/server/store/events/occurrences.sql";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

export interface RowOwner {
  calendarId: string;
  masterId: string;
  eventId: string | null;
  /** The change time of the rows, as PostgreSQL wrote it. */
  at: string;
}

export interface StoredRow extends OccurrenceRow {
  state: number;
}

/** Loads all rows of an event, including deleted ones: a day that is restored is the same occurrence. */
export async function storedRows(query: Query, calendarId: string, masterId: string): Promise<StoredRow[]> {
  return run(query, occurrencesOfEvent, [calendarId, masterId]);
}

/** Returns the start of the earliest live row. Null when there is none. */
export function earliestLiving(rows: readonly StoredRow[]): Instant | null {
  let earliest: Instant | null = null;
  for (const row of rows) {
    if (isLiving(row) && (earliest === null || row.starts < earliest)) earliest = row.starts;
  }
  return earliest;
}

/** Writes new or changed rows. */
export async function writeRows(query: Query, owner: RowOwner, rows: readonly OccurrenceRow[]): Promise<void> {
  await insertRows(query, owner, rows, writeOccurrences);
}

/** Writes the rows of new events. */
export async function insertRowsOfMany(
  query: Query,
  { calendarId, at }: Pick<RowOwner, "calendarId" | "at">,
  all: readonly (Pick<RowOwner, "masterId" | "eventId"> & { row: OccurrenceRow })[],
): Promise<void> {
  for await (const owned of statementBatches(all, ({ row }) => row))
    await run(query, insertOccurrences, [
      calendarId,
      at,
      owned.map(({ masterId }) => masterId),
      owned.map(({ eventId }) => eventId),
      ...arrayTexts(owned.map(({ row }) => row)),
    ]);
}

/** Adds rows that do not exist yet. */
export async function addRows(query: Query, owner: RowOwner, rows: readonly OccurrenceRow[]): Promise<void> {
  await insertRows(query, owner, rows, addOccurrences);
}

/** Loads the rows that are stored as deleted. */
export async function deletedRows<Row extends OccurrenceRow>(
  query: Query,
  calendarId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const stored = await run(query, deletedOccurrences, [calendarId, rows.map(({ uid }) => uid)]);
  const deleted = new Set(stored.map(({ uid }) => uid));
  return rows.filter(({ uid }) => deleted.has(uid));
}

/** The changes that turn the stored rows of an event into the desired ones. */
export interface RowChanges {
  /** New rows, and those that differ. */
  rows: readonly OccurrenceRow[];
  /** The uids of live rows that the event no longer has. */
  gone: readonly string[];
}

/** Compares the `stored` rows with `rows`. Rows that are marked as changed are written even if they are equal. */
export async function rowChanges(
  stored: readonly StoredRow[],
  rows: readonly OccurrenceRow[],
  changed: (uid: string) => boolean,
): Promise<RowChanges> {
  const rowsByUid = new Map(stored.map((row) => [row.uid, row]));
  const differing: OccurrenceRow[] = [];
  const pause = slices();
  for (const row of rows) {
    if (changed(row.uid) || !sameJson(row, rowsByUid.get(row.uid))) differing.push(row);
    const turn = pause();
    if (turn) await turn;
  }
  const wanted = new Set(rows.map(({ uid }) => uid));
  const gone = stored.filter((row) => isLiving(row) && !wanted.has(row.uid)).map(({ uid }) => uid);
  return { rows: differing, gone };
}

/** Writes rows, and marks others deleted. */
export async function changeRows(query: Query, owner: RowOwner, { rows, gone }: RowChanges): Promise<void> {
  await writeRows(query, owner, rows);
  if (gone.length === 0) return;
  await run(query, markOccurrencesDeleted, [owner.calendarId, gone, owner.at]);
}

async function insertRows(
  query: Query,
  owner: RowOwner,
  rows: readonly OccurrenceRow[],
  inserting: Statement<object>,
): Promise<void> {
  for await (const some of statementBatches(rows, (row) => row))
    await run(query, inserting, [owner.masterId, owner.calendarId, owner.eventId, owner.at, ...arrayTexts(some)]);
}

/** The size of one statement: rows, and characters of their own texts. Building it must not take longer than a slice. */
const MOST_ROWS = 1_000;
const MOST_CHARACTERS = 500_000;

/** Reports whether all rows fit into one statement. */
export function fitOneStatement(rows: readonly OccurrenceRow[]): boolean {
  if (rows.length > MOST_ROWS) return false;
  return rows.reduce((sum, { changes }) => sum + lengthOf(changes), 0) <= MOST_CHARACTERS;
}

async function* statementBatches<Item>(items: readonly Item[], rowOf: (item: Item) => OccurrenceRow) {
  const pause = slices();
  let some: Item[] = [];
  let length = 0;
  for (const item of items) {
    const more = lengthOf(rowOf(item).changes);
    if (some.length >= MOST_ROWS || (some.length > 0 && length + more > MOST_CHARACTERS)) {
      yield some;
      [some, length] = [[], 0];
      await pause();
    }
    some.push(item);
    length += more;
  }
  if (some.length > 0) yield some;
}

function lengthOf(changes: OccurrenceRow["changes"]): number {
  if (changes === null) return 0;
  return Object.values(changes).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 64),
    0,
  );
}

/** Returns the values of `rowsOfArrays`. */
export function arrays(rows: readonly OccurrenceRow[]): unknown[][] {
  return [
    rows.map(({ uid }) => uid),
    rows.map(({ day }) => day),
    rows.map(({ first }) => first),
    rows.map(({ allDay }) => allDay),
    rows.map(({ isLong }) => isLong),
    rows.map(({ state }) => state),
    rows.map(({ starts }) => formatInstant(starts)),
    rows.map(({ ends }) => formatInstant(ends)),
    rows.map(({ freeBusy }) => freeBusy),
    rows.map(({ changes }) => (changes === null ? null : JSON.stringify(changes))),
  ];
}

/**
 * Returns the same values as PostgreSQL writes arrays. The driver would search each element for characters to escape,
 * which takes longer than expanding a series; only the rows' own texts can contain any.
 */
export function arrayTexts(rows: readonly OccurrenceRow[]): unknown[] {
  const columns = arrays(rows);
  const changes = columns.pop() ?? [];
  return [...columns.map(arrayText), changes.some((one) => one !== null) ? changes : arrayText(changes)];
}

function arrayText(values: readonly unknown[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}

function isLiving({ state }: StoredRow): boolean {
  return state !== occurrenceState.deleted;
}
