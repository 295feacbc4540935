import { prepared } from "@/server/db/client";
import { bool, command, int4, nullable, oneOf, type Statement, statement, text, texts } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import type { CalendarToWrite } from "@/server/store/calendars/calendars.sql";
import { stamp } from "@/server/store/calendars/calendars.sql";
import * as events from "@/server/store/events/events.sql";
import * as occurrences from "@/server/store/events/occurrences.sql";

export interface RecordToWrite extends events.EventRecord, Omit<CalendarToWrite, "id"> {
  /** Changes whenever the event's row does. Null: there is no such event, and its other columns are null too. */
  version: string | null;
  ownTexts: readonly string[] | null;
}

const decidedBy = `p.provider, c.readonly, c.integrated_conferencing AS "integratedConferencing", c.invites, e.*`;
/** Joins the event, without letting PostgreSQL read the events of all calendars for it. */
const livingEvent = (
  eventId: string,
) => `LEFT JOIN LATERAL (SELECT xmin::text AS version, own_texts AS "ownTexts", ${events.eventColumns} FROM events
  WHERE calendar_id = c.id AND event_id = ${eventId} AND deleted_at IS NULL OFFSET 0) e ON true`;

const recordToWrite = {
  provider: oneOf<Provider>(),
  readonly: bool,
  integratedConferencing: bool,
  invites: nullable(bool),
  version: nullable(text),
  ownTexts: nullable(texts),
  ...events.eventRecord,
};

/** Reads what the write of an event is decided by: the calendar, and the event if it exists. */
export const eventToWrite = statement<RecordToWrite>(
  prepared(
    "event to write",
    `SELECT ${decidedBy} FROM calendars c JOIN profiles p ON p.id = c.profile_id ${livingEvent("$3")}
WHERE c.id = $1 AND c.account_id = $2`,
  ),
  recordToWrite,
);

/** Does the same for many events at once. */
export const eventsToWrite = statement<RecordToWrite & { place: number }>(
  prepared(
    "events to write",
    `SELECT (w.place - 1)::int AS place, ${decidedBy}
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w(calendar_id, account_id, event_id, place)
JOIN calendars c ON c.id = w.calendar_id AND c.account_id = w.account_id JOIN profiles p ON p.id = c.profile_id ${livingEvent("w.event_id")}`,
  ),
  { place: int4, ...recordToWrite },
);

export const lockLivingRow = command(
  "SELECT FROM events WHERE calendar_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE",
);

export const lockLivingEvent = command(
  "SELECT FROM events WHERE calendar_id = $1 AND event_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE",
);

/** Writes an event and all that goes with it, or nothing: then it gives no row. */
export interface EventStatement extends Statement<{ at: string }> {
  /** Names its values, in their order. */
  names: readonly string[];
}

/** Gives the place of a named value in a statement. */
type Place = (name: string) => string;

interface Part {
  names: readonly string[];
  sql(place: Place): string;
}

const stillThere = (p: Place) =>
  `id = $1 AND account_id = ${p("account_id")} AND NOT readonly AND integrated_conferencing = ${p("integrated_conferencing")} AND invites IS NOT DISTINCT FROM ${p("invites")}`;

/**
 * Locks the calendar first, as everywhere, which still has to be what the write was decided by. Conditions on the row that is updated are checked again
 * when somebody else's write was waited for. Everything else of a statement is as it was when the statement began (ADR 38).
 */
const calendar: Part = {
  names: ["calendar_id", "id", "until", "account_id", "integrated_conferencing", "invites"],
  sql: (p) => stamp(p("until"), stillThere(p)),
};

/** Does the same where the event must not be there yet, so that an insert in vain leaves the calendar as it is. */
const calendarWithout: Part = {
  names: calendar.names,
  sql: (p) =>
    stamp(
      p("until"),
      `${stillThere(p)} AND NOT EXISTS (SELECT FROM events WHERE calendar_id = $1 AND event_id = ${p("event_id")} AND deleted_at IS NULL)`,
    ),
};

const asRead = (
  p: Place,
) => `FROM stamp WHERE events.calendar_id = $1 AND events.id = $2 AND events.xmin = ${p("version")}::xid
  RETURNING events.id, events.event_id, events.updated_at`;

const OWN_TEXTS = "own_texts";
const insertedNames = [...events.newNames, OWN_TEXTS];

const inserted: Part = {
  names: insertedNames,
  sql: (
    p,
  ) => `e AS (INSERT INTO events (id, calendar_id, ${insertedNames.join(", ")}, created_at, updated_at, written_at)
  SELECT $2, $1, ${insertedNames.map(p).join(", ")}, changed_at, changed_at, changed_at FROM stamp
  ON CONFLICT (calendar_id, event_id) WHERE deleted_at IS NULL AND event_id IS NOT NULL DO NOTHING RETURNING id, event_id, updated_at)`,
};

const updated = (names: readonly string[], contentChanged: (p: Place) => string): Part => ({
  names: ["version", "is_moved", ...names],
  sql: (
    p,
  ) => `e AS (UPDATE events SET ${names.map((name) => `${name} = ${p(name)}`).join(", ")}, updated_at = changed_at, written_at = changed_at,
    content_changed_at = CASE WHEN ${p("is_moved")}::boolean OR ${contentChanged(p)} THEN changed_at ELSE content_changed_at END
  ${asRead(p)})`,
});

const deleted: Part = {
  names: ["version"],
  sql: (
    p,
  ) => `e AS (UPDATE events SET deleted_at = changed_at, updated_at = changed_at, written_at = changed_at, covered_until = NULL ${asRead(p)}),
o AS (UPDATE occurrences o SET state = 2, updated_at = e.updated_at FROM e
  WHERE o.calendar_id = $1 AND o.master_id = e.id AND o.state <> 2)`,
};

/** Names the values of rows: of each column a list. */
export const rowNames = occurrences.rowColumns.map((name) => `row_${name}`);

const newRows: Part = {
  names: rowNames,
  sql: (p) => `o AS (INSERT INTO occurrences (${occurrences.occurrenceColumns})
  SELECT e.id, $1, e.event_id, true, e.updated_at, r.* FROM e, ${occurrences.rowsOfArrays(rowNames.map(p))} AS r)`,
};

const changedRows: Part = {
  names: [...rowNames, "gone"],
  sql: (p) => `o AS (INSERT INTO occurrences (${occurrences.occurrenceColumns})
  SELECT e.id, $1, e.event_id, e.event_id IS NOT NULL, e.updated_at, r.* FROM e, ${occurrences.rowsOfArrays(rowNames.map(p))} AS r ${occurrences.rowsReplaced}),
g AS (UPDATE occurrences SET state = 2, first = false, updated_at = e.updated_at FROM e
  WHERE calendar_id = $1 AND uid = ANY (${p("gone")}::text[]))`,
};

export const queueNames = [
  "name",
  "notify",
  "removed_guests",
  "guests",
  "changed_fields",
  "conditional",
  "replies",
  "now",
];

/**
 * Queues a written event `e` for the provider of its calendar, of which `stamp` gives the profile and the account. A push in progress
 * continues, and the raised revision tells it that more has been written. A reverted write is not sent again. Whether the profile is connected is
 * read once the calendar is locked: who connects or disconnects it holds its calendars, and then changes the writes that it finds.
 */
const queued: Part = {
  names: queueNames,
  sql: (p) => `w AS (INSERT INTO provider_writes AS w
  (event_row, calendar_id, profile_id, account_id, name, notify, removed_guests, changed_fields, conditional, replies, suspended, due_at, created_at)
  SELECT e.id, $1, s.profile_id, s.account_id, ${p("name")}, ${p("notify")}::boolean, ${p("removed_guests")}::text[], ${p("changed_fields")}::text[],
    coalesce(${p("conditional")}::boolean, false), ${p("replies")}::jsonb, NOT profile_connected_now(s.profile_id), t.now, t.now
  FROM e, stamp s, LATERAL (SELECT coalesce(${p("now")}::timestamptz, least(s.changed_at, clock_timestamp())) AS now) t
  ON CONFLICT (calendar_id, event_row) DO UPDATE SET revision = w.revision + 1, notify = w.notify OR excluded.notify,
    removed_guests = ARRAY(SELECT unnest(w.removed_guests || excluded.removed_guests) EXCEPT SELECT unnest(${p("guests")}::text[])),
    changed_fields = CASE WHEN w.reverted_at IS NOT NULL THEN excluded.changed_fields
      WHEN w.changed_fields IS NOT NULL AND excluded.changed_fields IS NOT NULL
      THEN ARRAY(SELECT unnest(w.changed_fields) UNION SELECT unnest(excluded.changed_fields)) END,
    conditional = coalesce(${p("conditional")}::boolean, w.conditional),
    replies = CASE WHEN w.reverted_at IS NOT NULL OR w.replies IS NULL THEN excluded.replies
      WHEN excluded.replies IS NULL THEN w.replies ELSE w.replies || excluded.replies END,
    suspended = excluded.suspended, due_at = excluded.due_at, created_at = excluded.created_at, attempts = 0, refused_at = NULL,
    reverted_at = NULL, last_error = NULL)`,
};

/** An application calendar has what is written: what the sandbox made of an earlier write is over. */
const arrived: Part = {
  names: [],
  sql: () => "w AS (DELETE FROM provider_writes w USING e WHERE w.calendar_id = $1 AND w.event_row = e.id)",
};

function writing(name: string, ...all: readonly Part[]): EventStatement {
  const names = all.flatMap((part) => part.names);
  const place: Place = (one) => `$${names.indexOf(one) + 1}`;
  const given = `WITH ${all.map((part) => part.sql(place)).join(",\n")}\nSELECT updated_at::text AS at FROM e`;
  return { text: prepared(name, given), columns: { at: text }, names };
}

const words = updated([...events.wordNames, OWN_TEXTS], () => "false");
const state = updated([...events.stateNames, OWN_TEXTS], (p) => `first_uid IS DISTINCT FROM ${p("first_uid")}`);

export const insertOne = writing("insert an event", calendarWithout, inserted, newRows);
export const insertAndQueue = writing("insert an event and queue it", calendarWithout, inserted, newRows, queued);
export const changeWords = writing("change the words of a series", calendar, words, arrived);
export const changeWordsAndQueue = writing("change the words of a series and queue it", calendar, words, queued);
export const changeOne = writing("change an event", calendar, state, changedRows, arrived);
export const changeAndQueue = writing("change an event and queue it", calendar, state, changedRows, queued);
export const deleteOne = writing("delete an event", calendar, deleted, arrived);
export const deleteAndQueue = writing("delete an event and queue it", calendar, deleted, queued);
