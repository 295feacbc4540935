import { bool, command, float8, json, nullable, statement, text, textOf } from "@/server/db/statement";
import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { stamp } from "@/server/store/calendars/calendars.sql";

export interface EventRecord
  extends Omit<EventState, "span" | "participationStatus" | "ruleSeries" | "icalRecurrence"> {
  id: string;
  starts: number;
  ends: number;
  all_day: boolean;
  participation_status: string;
  recurrence: RuleSeries | null;
  ical_recurrence: StoredIcalRecurrence | null;
}

/** The columns that `livingOf` reads. */
export const eventColumns = `id, summary, description, location, url, all_day, date_part('epoch', starts) * 1000 AS starts,
date_part('epoch', ends) * 1000 AS ends, tzid, transparency, private, status, participation_status, organizer, attendees,
categories, conferencing, recurrence, ical_recurrence`;

/** The types of these columns as pg returns them. */
export const eventRecord = {
  id: text,
  summary: text,
  description: text,
  location: nullable(text),
  url: nullable(text),
  all_day: bool,
  starts: float8,
  ends: float8,
  tzid: nullable(text),
  transparency: textOf<EventState["transparency"]>(),
  private: bool,
  status: text,
  participation_status: text,
  organizer: nullable(json<NonNullable<EventState["organizer"]>>()),
  attendees: json<EventState["attendees"]>(),
  categories: json<string[]>(),
  conferencing: nullable(json<NonNullable<EventState["conferencing"]>>()),
  recurrence: nullable(json<RuleSeries>()),
  ical_recurrence: nullable(json<StoredIcalRecurrence>()),
};

export const livingEventOfRow = statement<EventRecord>(
  `SELECT ${eventColumns} FROM events WHERE calendar_id = $1 AND id = $2 AND deleted_at IS NULL`,
  eventRecord,
);

export const livingEventOfId = statement<EventRecord>(
  `SELECT ${eventColumns} FROM events WHERE calendar_id = $1 AND event_id = $2 AND deleted_at IS NULL`,
  eventRecord,
);

/** The columns that hold what every occurrence shows, and how an event repeats. JSON columns take text. */
const wordKinds = {
  summary: "text",
  description: "text",
  location: "text",
  url: "text",
  tzid: "text",
  transparency: "text",
  status: "text",
  all_day: "boolean",
  starts: "timestamptz",
  ends: "timestamptz",
  private: "boolean",
  participation_status: "text",
  organizer: "jsonb",
  attendees: "jsonb",
  categories: "jsonb",
  conferencing: "jsonb",
  recurrence: "jsonb",
  ical_recurrence: "jsonb",
};
const stateKinds = { ...wordKinds, first_uid: "text", covered_until: "timestamptz" };
export const newKinds = { event_id: "text", external_id: "text", ...stateKinds };
const manyKinds: Record<string, string> = { id: "text", etag: "text", parts: "jsonb", ...newKinds };

export type WordColumns = Record<keyof typeof wordKinds, unknown>;
export type StateColumns = Record<keyof typeof stateKinds, unknown>;
export type NewColumns = Record<keyof typeof newKinds, unknown>;

const namesOf = <Name extends string>(kinds: Record<Name, string>) => Object.keys(kinds) as Name[];
export const wordNames = namesOf(wordKinds);
export const stateNames = namesOf(stateKinds);
export const newNames = namesOf(newKinds);

/** Returns the values of a statement's columns, in their order there. */
export const wordValues = (columns: WordColumns) => wordNames.map((name) => columns[name]);
export const stateValues = (columns: StateColumns) => stateNames.map((name) => columns[name]);
export const newValues = (columns: NewColumns) => newNames.map((name) => columns[name]);

/** Values: the calendar, the row's id, how far its occurrences are stored, and `newValues`. */
export const insertEventRow = statement<{ at: string }>(
  `WITH ${stamp("$3")}
INSERT INTO events (id, calendar_id, ${newNames.join(", ")}, created_at, updated_at)
SELECT $2, $1, ${newNames.map((_, i) => `$${i + 4}`).join(", ")}, changed_at, changed_at FROM stamp RETURNING updated_at::text AS at`,
  { at: text },
);

/**
 * Returns SQL that updates columns. Values: the calendar, the row's id, how far its occurrences are stored, whether all
 * of them show a change, and the columns'.
 */
const updating = (names: readonly string[], isMoved: string) => `WITH ${stamp("$3")}
UPDATE events SET ${names.map((name, i) => `${name} = $${i + 5}`).join(", ")}, updated_at = changed_at,
  content_changed_at = CASE WHEN $4::boolean OR ${isMoved} THEN changed_at ELSE content_changed_at END
FROM stamp WHERE calendar_id = $1 AND id = $2 RETURNING updated_at::text AS at`;

export const updateWords = statement<{ at: string }>(updating(wordNames, "false"), { at: text });

export const updateState = statement<{ at: string }>(
  updating(stateNames, `first_uid IS DISTINCT FROM $${stateNames.indexOf("first_uid") + 5}`),
  { at: text },
);

/** Values: the calendar, how far the occurrences of all are stored, and the events as JSON. */
export const insertEventRows = statement<{ at: string }>(
  `WITH ${stamp("$2")}, made AS (INSERT INTO events (calendar_id, created_at, updated_at, ${Object.keys(manyKinds).join(", ")})
  SELECT $1, changed_at, changed_at, ${Object.entries(manyKinds)
    .map(([name, kind]) => (kind === "jsonb" ? `r.${name}::jsonb` : `r.${name}`))
    .join(", ")}
  FROM stamp, json_to_recordset($3::json) AS r(${Object.entries(manyKinds)
    .map(([name, kind]) => `${name} ${kind === "jsonb" ? "text" : kind}`)
    .join(", ")}))
SELECT changed_at::text AS at FROM stamp`,
  { at: text },
);

/** The rows stay for reads with include_deleted. */
export const markEventsDeleted = command(`WITH ${stamp("NULL")}, e AS (
  UPDATE events SET deleted_at = changed_at, updated_at = changed_at, covered_until = NULL FROM stamp
  WHERE calendar_id = $1 AND id = ANY ($2::text[]) RETURNING events.*)
UPDATE occurrences o SET state = 2, updated_at = e.updated_at FROM e WHERE o.calendar_id = $1 AND o.master_id = e.id AND o.state <> 2`);

/** The time of the next change, in milliseconds, rounded down. */
export const stampMillis = statement<{ at: number }>(
  `WITH ${stamp("NULL")} SELECT floor(date_part('epoch', changed_at) * 1000) AS at FROM stamp`,
  { at: float8 },
);

/** The time of the next change, as PostgreSQL writes it. */
export const stampText = statement<{ at: string }>(`WITH ${stamp("NULL")} SELECT changed_at::text AS at FROM stamp`, {
  at: text,
});
