import { prepared } from "@/server/db/client";
import { int4, statement, text } from "@/server/db/statement";
import type { queueNames } from "@/server/store/event-writes/write-event.sql";
import { newKinds, newNames } from "@/server/store/events/events.sql";
import { occurrenceColumns, type RowColumn, rowColumns, rowKinds } from "@/server/store/events/occurrences.sql";

export interface InsertedTogether {
  place: number;
  at: string;
}

/** Names those values of a queued write that a new event has. */
const queued = { name: "text", notify: "boolean", now: "timestamptz" } satisfies Partial<
  Record<(typeof queueNames)[number], string>
>;
const ownKinds = {
  ...{ place: "int", calendar_id: "text", id: "text", until: "timestamptz", account_id: "text" },
  ...{ integrated_conferencing: "boolean", invites: "boolean", is_queued: "boolean", own_texts: "text[]" },
};
/** Names what the statement is given of each event. */
export type GivenTogether = Record<keyof typeof ownKinds | keyof typeof newKinds | `row_${RowColumn}`, unknown>;
const kinds: Record<string, string> = {
  ...ownKinds,
  ...newKinds,
  ...queued,
  ...Object.fromEntries(rowColumns.map((name) => [`row_${name}`, rowKinds[name]])),
};
/** Reads a value: inside of JSON those of JSON are texts. */
const given = (name: string) => (kinds[name] === "jsonb" ? `g.${name}::jsonb` : `g.${name}`);
const listed = Object.entries(kinds).map(([name, kind]) => `${name} ${kind === "jsonb" ? "text" : kind}`);

/**
 * Inserts new single events, given as JSON, of calendars no two of which are the same: each as `insertOne` and `insertAndQueue` do, by the same
 * conditions (ADR 76). A calendar that somebody else holds is left out, so that nobody waits for another's calendar and no two statements for each
 * other. What gives no row was not written.
 */
export const insertTogether = statement<InsertedTogether>(
  prepared(
    "insert events",
    `WITH g AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS g(${listed.join(", ")})),
held AS MATERIALIZED (SELECT c.id FROM g CROSS JOIN LATERAL (SELECT id FROM calendars WHERE id = g.calendar_id FOR NO KEY UPDATE SKIP LOCKED) c),
stamp AS (UPDATE calendars c SET changed_at = greatest(clock_timestamp(), c.changed_at + interval '1 microsecond'),
  covered_until = least(c.covered_until, g.until) FROM g JOIN held ON held.id = g.calendar_id
  WHERE c.id = held.id AND c.account_id = g.account_id AND NOT c.readonly AND c.integrated_conferencing = g.integrated_conferencing
  AND c.invites IS NOT DISTINCT FROM g.invites
  AND NOT EXISTS (SELECT FROM events e WHERE e.calendar_id = g.calendar_id AND e.event_id = g.event_id AND e.deleted_at IS NULL)
  RETURNING g.place, c.changed_at, c.profile_id, c.account_id),
e AS (INSERT INTO events (id, calendar_id, own_texts, ${newNames.join(", ")}, created_at, updated_at, written_at)
  SELECT g.id, g.calendar_id, g.own_texts, ${newNames.map(given).join(", ")}, s.changed_at, s.changed_at, s.changed_at FROM stamp s JOIN g ON g.place = s.place
  ON CONFLICT (calendar_id, event_id) WHERE deleted_at IS NULL AND event_id IS NOT NULL DO NOTHING
  RETURNING id, calendar_id, event_id, updated_at),
o AS (INSERT INTO occurrences (${occurrenceColumns})
  SELECT e.id, e.calendar_id, e.event_id, true, e.updated_at, ${rowColumns.map((name) => given(`row_${name}`)).join(", ")} FROM e JOIN g ON g.id = e.id),
w AS (INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, name, notify, removed_guests, suspended, due_at, created_at)
  SELECT e.id, e.calendar_id, s.profile_id, s.account_id, g.name, g.notify, '{}', NOT profile_connected_now(s.profile_id), t.now, t.now
  FROM e JOIN g ON g.id = e.id JOIN stamp s ON s.place = g.place,
    LATERAL (SELECT coalesce(g.now, least(s.changed_at, clock_timestamp())) AS now) t WHERE g.is_queued)
SELECT g.place, e.updated_at::text AS at FROM e JOIN g ON g.id = e.id`,
  ),
  { place: int4, at: text },
);
