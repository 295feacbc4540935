import { bool, type Column, command, int2, json, nullable, statement, text, textOf } from "@/server/db/statement";
import type { OccurrenceChanges } from "@/server/domain/events/event-state";
import type { FreeBusyStatus } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

const instant: Column<Instant> = { type: "float8", isNullable: false };

export const occurrencesOfEvent = statement<OccurrenceRow>(
  `SELECT uid, day::text AS day, first, all_day AS "allDay", is_long AS "isLong", state, date_part('epoch', starts) * 1000 AS starts,
date_part('epoch', ends) * 1000 AS ends, free_busy AS "freeBusy", changes FROM occurrences WHERE master_id = $1`,
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

const inserting = `INSERT INTO occurrences (master_id, calendar_id, event_id, managed, updated_at, uid, day, first, all_day, is_long, state, starts, ends,
  free_busy, changes)
SELECT $1, $2, $3::text, $3::text IS NOT NULL, $4::timestamptz, r.* FROM unnest($5::text[], $6::date[], $7::boolean[], $8::boolean[], $9::boolean[],
  $10::smallint[], $11::timestamptz[], $12::timestamptz[], $13::text[], $14::jsonb[]) AS r
ON CONFLICT (uid)`;

export const addOccurrences = command(`${inserting} DO NOTHING`);

export const writeOccurrences =
  command(`${inserting} DO UPDATE SET day = excluded.day, first = excluded.first, all_day = excluded.all_day, is_long = excluded.is_long,
state = excluded.state, starts = excluded.starts, ends = excluded.ends, free_busy = excluded.free_busy, changes = excluded.changes,
updated_at = excluded.updated_at`);

/** Of new events. */
export const insertOccurrences =
  command(`INSERT INTO occurrences (calendar_id, updated_at, managed, master_id, event_id, uid, day, first, all_day, is_long, state, starts, ends,
  free_busy, changes)
SELECT $1, $2::timestamptz, r.event_id IS NOT NULL, r.* FROM unnest($3::text[], $4::text[], $5::text[], $6::date[], $7::boolean[], $8::boolean[],
  $9::boolean[], $10::smallint[], $11::timestamptz[], $12::timestamptz[], $13::text[], $14::jsonb[]) AS r(master_id, event_id)`);

export const deletedOccurrences = statement<{ uid: string }>(
  "SELECT uid FROM occurrences WHERE uid = ANY($1::text[]) AND state = 2",
  { uid: text },
);

export const markOccurrencesDeleted = command(
  "UPDATE occurrences SET state = 2, first = false, updated_at = $2 WHERE uid = ANY($1::text[])",
);
