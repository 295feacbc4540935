import { prepared } from "@/server/db/client";
import { bool, command, json, nullable, oneOf, statement, text, textOf, texts } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import type { RuleSeries } from "@/server/domain/events/event-state";
import type { Provider } from "@/server/domain/providers";
import type { EventParts } from "@/server/providers/writing";
import { type EventRecord, eventColumns, eventRecord } from "@/server/store/events/events.sql";
import { becomes, isOver, isRefusedWrite, isUnsent } from "@/server/store/events/write-states";

export interface KnownRecord extends EventRecord {
  external_id: string | null;
  etag: string | null;
  parts: EventParts | null;
  event_id: string | null;
  is_deleted: boolean;
  removed_guests: string[] | null;
  is_being_pushed: boolean | null;
  is_replying: boolean | null;
  base_recurrence: RuleSeries | null;
  is_pushed_since: boolean;
  is_refused: boolean;
  refused_fields: string[] | null;
}

/** Returns SQL for whether a provider rejected the event's last write, and its own state has not been read since. */
function isRefused(event: string): string {
  return `EXISTS (SELECT FROM provider_writes r WHERE r.calendar_id = ${event}.calendar_id AND r.event_row = ${event}.id AND ${isRefusedWrite("r")})`;
}

const columnsOf = (
  events: string,
) => `${eventColumns}, external_id, etag, parts, deleted_at IS NOT NULL AS is_deleted, w.removed_guests, w.is_being_pushed, w.is_replying, base_recurrence, ${isRefused("e")} AS is_refused,
 (SELECT r.changed_fields FROM provider_writes r WHERE r.calendar_id = e.calendar_id AND r.event_row = e.id AND ${isRefusedWrite("r")}) AS refused_fields,
 coalesce(pushed_at >= $3::timestamptz, false) AS is_pushed_since,
CASE WHEN deleted_at IS NULL OR NOT EXISTS (SELECT FROM events o
  WHERE o.calendar_id = e.calendar_id AND o.event_id = e.event_id AND o.deleted_at IS NULL) THEN event_id END AS event_id
FROM ${events} e LEFT JOIN LATERAL (SELECT removed_guests, lease IS NOT NULL AS is_being_pushed, replies IS NOT NULL AS is_replying FROM provider_writes o
  WHERE calendar_id = e.calendar_id AND event_row = e.id AND ${isUnsent("o")}) w ON true`;
/**
 * The calendar $1, hidden from the planner: with statistics that do not include it yet PostgreSQL expects nothing in
 * it, and walks along all of it. Hidden, it is expected to be average.
 */
const ITS_CALENDAR = "calendar_id = (SELECT $1::text)";
/**
 * Returns SQL for the events of the calendar $1 that have one of the names $2, with a look for each name. The length of
 * the list is hidden: it would decide about the plan, which would be made again each time.
 */
const byName = (condition = "true") => `(SELECT DISTINCT unnest((SELECT $2::text[])) AS name) n
CROSS JOIN LATERAL (SELECT * FROM events WHERE ${ITS_CALENDAR} AND external_id = n.name AND (${condition}) OFFSET 0)`;
/** SQL like `byName`, for events without a name. `own` is the name that found them. */
const byOwnName = `(SELECT DISTINCT ON (event_row) own, event_row FROM (
    SELECT own, own AS event_row FROM unnest((SELECT $2::text[])) AS own
    UNION ALL SELECT name, event_row FROM provider_writes WHERE ${ITS_CALENDAR} AND name = ANY ((SELECT $2::text[])::text[])) found
  ORDER BY event_row, own <> event_row) n
CROSS JOIN LATERAL (SELECT * FROM events WHERE ${ITS_CALENDAR} AND id = n.event_row AND external_id IS NULL OFFSET 0)`;
const newest = "ORDER BY external_id, deleted_at DESC NULLS FIRST";

const knownRecord = {
  ...eventRecord,
  external_id: nullable(text),
  etag: nullable(text),
  parts: nullable(json<EventParts>()),
  event_id: nullable(text),
  is_deleted: bool,
  removed_guests: nullable(texts),
  is_being_pushed: nullable(bool),
  is_replying: nullable(bool),
  base_recurrence: nullable(json<RuleSeries>()),
  is_pushed_since: bool,
  is_refused: bool,
  refused_fields: nullable(texts),
};

export const eventsByName = statement<KnownRecord>(
  prepared("events by name", `SELECT DISTINCT ON (external_id) ${columnsOf(byName())} ${newest}`),
  knownRecord,
);

/** Events without a name at the provider, by the name that they were to be created under, or by the id of their row. */
export const eventsWithoutName = statement<KnownRecord & { own: string | null }>(
  prepared("events without name", `SELECT n.own, ${columnsOf(byOwnName)}`),
  { ...knownRecord, own: nullable(text) },
);

/** Deleted events count while their deletion waits for the provider. */
const isStored = `deleted_at IS NULL
  OR EXISTS (SELECT FROM provider_writes w WHERE w.calendar_id = events.calendar_id AND w.event_row = events.id AND ${isUnsent("w")})`;

export const storedEtags = statement<{ external_id: string | null; etag: string | null; parts: EventParts }>(
  prepared(
    "stored etags",
    `SELECT external_id, coalesce(parts, '{}') AS parts, CASE WHEN NOT ${isRefused("e")} THEN etag END AS etag FROM ${byName(isStored)} e
ORDER BY deleted_at NULLS LAST`,
  ),
  { external_id: nullable(text), etag: nullable(text), parts: json<EventParts>() },
);

export const storedNames = statement<{ external_id: string | null }>(
  `SELECT external_id FROM events WHERE calendar_id = $1 AND external_id IS NOT NULL AND (${isStored})`,
  { external_id: nullable(text) },
);

/**
 * Events that take place in a window, a series by its occurrences. OFFSET 0 keeps PostgreSQL from reading all that
 * takes place there.
 */
export const namesWithin = statement<{ external_id: string | null }>(
  `SELECT external_id FROM ${byName(isStored)} e
WHERE EXISTS (SELECT FROM occurrences o WHERE o.calendar_id = e.calendar_id AND o.master_id = e.id AND o.starts < $4 AND o.ends >= $3 OFFSET 0)`,
  { external_id: nullable(text) },
);

interface ReceivingCalendar {
  accountId: string;
  isFirstSync: boolean;
  provider: Provider;
  /** As it is once the calendar is locked. */
  access: Access;
}

export const lockReceivingCalendar = statement<ReceivingCalendar>(
  prepared(
    "lock receiving calendar",
    `SELECT c.account_id AS "accountId", p.initial_sync_required AS "isFirstSync", p.provider, profile_access_now(p.id) AS access FROM calendars c JOIN profiles p ON p.id = c.profile_id
WHERE c.id = $1 AND NOT c.deleted FOR NO KEY UPDATE OF c`,
  ),
  { accountId: text, isFirstSync: bool, provider: oneOf<Provider>(), access: textOf<Access>() },
);

export const dropWritesOfEvents = command(
  "DELETE FROM provider_writes WHERE calendar_id = $1 AND event_row = ANY ($2::text[])",
);

/**
 * Selects by a list of ids: PostgreSQL expects a hundred rows of any JSON, and would read the whole calendar for a join
 * with them.
 */
export const renameEvents = command(
  prepared(
    "rename events",
    `WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset($2::json) AS r(id text, external_id text, etag text, parts text)),
ids AS MATERIALIZED (SELECT array_agg(id) AS list FROM r),
waiting AS (UPDATE provider_writes SET remote_change_deferred = true
  WHERE calendar_id = $1 AND event_row = ANY ((SELECT list FROM ids)::text[]) AND NOT remote_change_deferred)
UPDATE events SET external_id = r.external_id, etag = r.etag, parts = r.parts::jsonb FROM r
WHERE ${ITS_CALENDAR} AND events.id = ANY ((SELECT list FROM ids)::text[]) AND events.id = r.id`,
  ),
);

export const agreeOnSeries = command(
  `UPDATE events SET base_recurrence = recurrence WHERE ${ITS_CALENDAR} AND external_id = ANY ($2::text[]) AND event_id IS NOT NULL
  AND deleted_at IS NULL AND base_recurrence IS DISTINCT FROM recurrence`,
);

export const forgetChangedFields = command(
  `UPDATE provider_writes w SET changed_fields = '{}', remote_change_deferred = false WHERE calendar_id = $1 AND event_row = ANY ($2::text[]) AND ${isOver("w")}
  AND (remote_change_deferred OR changed_fields IS DISTINCT FROM '{}')`,
);

export const revertWrites = statement<{ id: string; isNowhere: boolean }>(
  `UPDATE provider_writes w SET ${becomes.reverted} FROM events e
WHERE w.calendar_id = $1 AND concat(w.id, '.', w.revision) = ANY ($2::text[]) AND ${isRefusedWrite("w")}
  AND e.calendar_id = $1 AND e.id = w.event_row RETURNING e.id, e.external_id IS NULL AND e.deleted_at IS NULL AS "isNowhere"`,
  { id: text, isNowhere: bool },
);

export const forgetEtags = command(`UPDATE events SET etag = NULL WHERE ${ITS_CALENDAR} AND id = ANY ($2::text[])`);
