import { bool, type Column, command, int2, json, nullable, statement, text, textOf } from "@/server/db/statement";
import type { OccurrenceChanges } from "@/server/domain/events/event-state";
import type { FreeBusyStatus } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

const instant: Column<Instant> = { type: "float8", isNullable: false };

export const occurrencesOfEvent = statement<OccurrenceRow>(
  `SELECT uid, day::text AS day, first, all_day AS "allDay", is_long AS "isLong", state, date_part('epoch', starts) * 1000 AS starts,
date_part('epoch', ends) * 1000 AS ends, free_busy AS "freeBusy", changes FROM occurrences WHERE calendar_id = $1 AND master_id = $2`,
  {
    uid: text,
    day: nullable(text),
    first: bool,
    allDay: bool,
    isLong: bool,
    state: int2,
    starts: instant,
    ends: instant,
    freeBusy: textOf<FreeBusyStatus>(),
    changes: nullable(json<OccurrenceChanges>()),
  },
);

/** The columns of a row, in the order in which statements take arrays of them, with PostgreSQL's types. */
export const rowKinds = {
  uid: "text",
  day: "date",
  first: "boolean",
  all_day: "boolean",
  is_long: "boolean",
  state: "smallint",
  starts: "timestamptz",
  ends: "timestamptz",
  free_busy: "text",
  changes: "jsonb",
};
export type RowColumn = keyof typeof rowKinds;
export const rowColumns = Object.keys(rowKinds) as RowColumn[];

/** Returns SQL for rows from arrays, one for each column. */
export const rowsOfArrays = (arrays: readonly string[]) =>
  `unnest(${rowColumns.map((name, i) => `${arrays[i]}::${rowKinds[name]}[]`).join(", ")})`;

/** The columns that an INSERT names: those of the event, then those of the row. */
export const occurrenceColumns = `master_id, calendar_id, event_id, managed, updated_at, ${rowColumns.join(", ")}`;

/** The conflict clause of an INSERT: an existing row is replaced. */
export const rowsReplaced = `ON CONFLICT (calendar_id, uid) DO UPDATE SET ${rowColumns
  .slice(1)
  .map((name) => `${name} = excluded.${name}`)
  .join(", ")}, updated_at = excluded.updated_at`;

const placesFrom = (first: number) => rowColumns.map((_, i) => `$${first + i}`);
const inserting = `INSERT INTO occurrences (${occurrenceColumns})
SELECT $1, $2, $3::text, $3::text IS NOT NULL, $4::timestamptz, r.* FROM ${rowsOfArrays(placesFrom(5))} AS r`;

export const addOccurrences = command(`${inserting} ON CONFLICT (calendar_id, uid) DO NOTHING`);

export const writeOccurrences = command(`${inserting} ${rowsReplaced}`);

/** For new events. */
export const insertOccurrences =
  command(`INSERT INTO occurrences (calendar_id, updated_at, managed, master_id, event_id, uid, day, first, all_day, is_long, state, starts, ends,
  free_busy, changes)
SELECT $1, $2::timestamptz, r.event_id IS NOT NULL, r.* FROM unnest($3::text[], $4::text[], $5::text[], $6::date[], $7::boolean[], $8::boolean[],
  $9::boolean[], $10::smallint[], $11::timestamptz[], $12::timestamptz[], $13::text[], $14::jsonb[]) AS r(master_id, event_id)`);

export const deletedOccurrences = statement<{ uid: string }>(
  "SELECT uid FROM occurrences WHERE calendar_id = $1 AND uid = ANY($2::text[]) AND state = 2",
  { uid: text },
);

export const markOccurrencesDeleted = command(
  "UPDATE occurrences SET state = 2, first = false, updated_at = $3 WHERE calendar_id = $1 AND uid = ANY($2::text[])",
);
