import { prepared } from "@/server/db/client";
import { bool, command, float8, nullable, oneOf, statement, text, textOf } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import type { Provider } from "@/server/domain/providers";

/**
 * Returns SQL for the calendar's next change time as `stamp.changed_at`: the database's clock, later than every earlier
 * change in this calendar, which is locked until the end of the transaction. `coveredUntil` is a placeholder: how far
 * the occurrences written with it reach. `condition`: must hold for the calendar, or there is no stamp.
 */
export function stamp(coveredUntil: string, condition = "id = $1"): string {
  return `stamp AS (UPDATE calendars SET changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond'),
covered_until = least(covered_until, ${coveredUntil}::timestamptz) WHERE ${condition} RETURNING changed_at, profile_id, account_id)`;
}

export interface CalendarToWrite {
  id: string;
  provider: Provider;
  /** Whether the provider adds meeting links itself. */
  integratedConferencing: boolean;
  /** Whether guests are invited to its events. Null: according to its provider's default. */
  invites: boolean | null;
  readonly: boolean;
}

export const lockCalendar = statement<CalendarToWrite>(
  `SELECT c.id, c.readonly, p.provider, c.integrated_conferencing AS "integratedConferencing", c.invites FROM calendars c JOIN profiles p ON p.id = c.profile_id
WHERE c.id = $1 AND c.account_id = $2 FOR NO KEY UPDATE OF c`,
  { id: text, readonly: bool, provider: oneOf<Provider>(), integratedConferencing: bool, invites: nullable(bool) },
);

export interface LockedProfile {
  id: string;
  accountId: string;
  access: Access;
  isFirstSync: boolean;
  /** The time of the change, in milliseconds. */
  at: number;
}

export const lockProfileStatement = statement<LockedProfile>(
  prepared(
    "lock profile",
    `SELECT p.id, a.id AS "accountId", p.access, p.initial_sync_required AS "isFirstSync", floor(date_part('epoch', clock_timestamp()) * 1000) AS at
FROM accounts a JOIN profiles p ON p.account_id = a.id WHERE p.id = $1 AND a.revoked_at IS NULL FOR NO KEY UPDATE OF a`,
  ),
  { id: text, accountId: text, access: textOf<Access>(), isFirstSync: bool, at: float8 },
);

export interface KnownCalendar {
  id: string;
  external_id: string;
  name: string;
  readonly: boolean;
  primary: boolean;
  deleted: boolean;
  /** Whether its events are still being marked deleted. */
  emptying: boolean;
  integrated_conferencing: boolean;
  invites: boolean | null;
  tzid: string | null;
}

export const calendarsOfProfile = statement<KnownCalendar>(
  prepared(
    "calendars of profile",
    `SELECT id, external_id, name, readonly, "primary", deleted, emptied_since IS NOT NULL AS emptying, integrated_conferencing, invites, tzid
FROM calendars WHERE profile_id = $1 ORDER BY id FOR NO KEY UPDATE`,
  ),
  {
    id: text,
    external_id: text,
    name: text,
    readonly: bool,
    primary: bool,
    deleted: bool,
    emptying: bool,
    integrated_conferencing: bool,
    invites: nullable(bool),
    tzid: nullable(text),
  },
);

const columns = 'id, external_id, name, readonly, "primary", integrated_conferencing, invites, tzid';
const recordset = (place: string) => `json_to_recordset(${place}::json)
  AS r(id text, external_id text, name text, readonly boolean, "primary" boolean, integrated_conferencing boolean, invites boolean, tzid text)`;

export const insertCalendars = command(`INSERT INTO calendars (account_id, profile_id, number, ${columns})
SELECT $1, $2, row_number() OVER () + (SELECT coalesce(max(number), 0) FROM calendars WHERE account_id = $1),
  r.id, r.external_id, r.name, r.readonly, r."primary", r.integrated_conferencing, r.invites, r.tzid FROM ${recordset("$3")}`);

export const updateCalendars =
  command(`UPDATE calendars c SET name = r.name, readonly = r.readonly, "primary" = r."primary", tzid = r.tzid,
  integrated_conferencing = r.integrated_conferencing, invites = r.invites, sync_token = CASE WHEN deleted THEN NULL ELSE sync_token END,
  ctag = CASE WHEN deleted THEN NULL ELSE ctag END, deleted = false FROM ${recordset("$1")} WHERE c.id = r.id`);

/** From now on no read shows its events as live. They are marked deleted piece by piece. */
export const markCalendarDeleted = command(
  `UPDATE calendars SET deleted = true, emptied_since = clock_timestamp(), sync_token = NULL, ctag = NULL, stale_at = NULL,
  sync_failures = 0, sync_error = NULL WHERE id = $1`,
);

/** At most $3 events after $2, in the order of their ids. `last`: null if there are no more. */
export const deleteSomeEvents = statement<{ last: string | null }>(
  `WITH ${stamp("NULL", "id = $1 AND emptied_since IS NOT NULL")}, piece AS MATERIALIZED (
  SELECT id FROM events WHERE calendar_id = $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT $3),
e AS (UPDATE events SET deleted_at = changed_at, updated_at = changed_at, covered_until = NULL FROM stamp
  WHERE calendar_id = $1 AND id = ANY (ARRAY(SELECT id FROM piece)) AND deleted_at IS NULL RETURNING events.id, events.updated_at),
o AS (UPDATE occurrences o SET state = 2, updated_at = e.updated_at FROM e
  WHERE o.calendar_id = $1 AND o.master_id = e.id AND o.state <> 2)
SELECT max(id) AS last FROM piece`,
  { last: nullable(text) },
);

export interface EmptiedCalendar {
  accountId: string;
  isFirstSync: boolean;
  /** When marking its events began, in milliseconds. */
  since: number;
  /** Whether the application had written any of them. */
  hadManaged: boolean;
}

export const lockEmptiedCalendar = statement<EmptiedCalendar>(
  `SELECT c.account_id AS "accountId", p.initial_sync_required AS "isFirstSync",
  floor(date_part('epoch', c.emptied_since) * 1000) AS since,
  EXISTS (SELECT FROM events e WHERE e.calendar_id = c.id AND e.event_id IS NOT NULL AND e.deleted_at >= c.emptied_since) AS "hadManaged"
FROM calendars c JOIN profiles p ON p.id = c.profile_id WHERE c.id = $1 AND c.emptied_since IS NOT NULL FOR NO KEY UPDATE OF c`,
  { accountId: text, isFirstSync: bool, since: float8, hadManaged: bool },
);
