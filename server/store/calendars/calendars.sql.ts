import { prepared } from "@/server/db/client";
import { bool, command, float8, nullable, oneOf, statement, text } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { stamp } from "@/server/store/calendars/change-stamp";

export interface CalendarToWrite {
  id: string;
  provider: Provider;
  /** The provider adds meeting links itself. */
  integratedConferencing: boolean;
  /** Whether guests are invited to its events. Null: as its provider does otherwise. */
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
  isFirstSync: boolean;
  /** The time of the change, in milliseconds. */
  at: number;
}

export const lockProfileStatement = statement<LockedProfile>(
  prepared(
    "lock profile",
    `SELECT p.id, a.id AS "accountId", p.initial_sync_required AS "isFirstSync", floor(date_part('epoch', clock_timestamp()) * 1000) AS at
FROM accounts a JOIN profiles p ON p.account_id = a.id WHERE p.id = $1 AND a.revoked_at IS NULL FOR NO KEY UPDATE OF a`,
  ),
  { id: text, accountId: text, isFirstSync: bool, at: float8 },
);

export interface KnownCalendar {
  id: string;
  external_id: string;
  name: string;
  readonly: boolean;
  primary: boolean;
  deleted: boolean;
  integrated_conferencing: boolean;
  invites: boolean | null;
  tzid: string | null;
}

export const calendarsOfProfile = statement<KnownCalendar>(
  prepared(
    "calendars of profile",
    `SELECT id, external_id, name, readonly, "primary", deleted, integrated_conferencing, invites, tzid FROM calendars
WHERE profile_id = $1 ORDER BY id FOR NO KEY UPDATE`,
  ),
  {
    id: text,
    external_id: text,
    name: text,
    readonly: bool,
    primary: bool,
    deleted: bool,
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

export const markCalendarDeleted = command(
  "UPDATE calendars SET deleted = true, sync_token = NULL, ctag = NULL, stale_at = NULL, sync_failures = 0, sync_error = NULL WHERE id = $1",
);

export const dropWritesOfCalendar = command("DELETE FROM provider_writes WHERE calendar_id = $1");

export const deleteEventsOfCalendar = statement<{ hadManaged: boolean | null }>(
  `WITH ${stamp("NULL")}, e AS (
  UPDATE events SET deleted_at = changed_at, updated_at = changed_at, covered_until = NULL FROM stamp
  WHERE calendar_id = $1 AND deleted_at IS NULL RETURNING events.*),
o AS (UPDATE occurrences o SET state = 2, updated_at = e.updated_at FROM e
  WHERE o.calendar_id = $1 AND o.master_id = e.id AND o.state <> 2)
SELECT bool_or(event_id IS NOT NULL) AS "hadManaged" FROM e`,
  { hadManaged: nullable(bool) },
);
