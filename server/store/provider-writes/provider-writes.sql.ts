import { prepared } from "@/server/db/client";
import { bool, command, int4, json, nullable, oneOf, statement, text, textOf, texts } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import type { RuleSeries } from "@/server/domain/events/event-state";
import type { Provider } from "@/server/domain/providers";
import type { EventParts } from "@/server/providers/writing";
import { becomes, isOver, isUnsent } from "@/server/store/events/write-states";
import type { StoredReplies } from "@/server/store/provider-writes/stored-replies";

/**
 * Returns SQL that resumes suspended writes in the order in which they were written, with their waits and two days
 * starting again. Throttled writes keep their time. `held` names rows of provider_writes by their id and created_at,
 * `t` has the time as `now`.
 */
export const resumeStatement = (held: string) => `UPDATE provider_writes w SET suspended = false,
  due_at = CASE WHEN w.last_error = 'throttled' THEN greatest(w.due_at, t.now) ELSE t.now + make_interval(secs => placed.place / 1e6) END,
  created_at = CASE WHEN ${isUnsent("w")} THEN t.now ELSE w.created_at END,
  attempts = CASE WHEN ${isUnsent("w")} THEN 0 ELSE w.attempts END
FROM ${placed(held)}, t WHERE w.id = placed.id`;

/**
 * Returns SQL for the position of each row, which its due time adds as microseconds to keep the order: claims sort by
 * time only.
 */
const placed = (held: string) =>
  `(SELECT id, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM ${held}) placed`;

export interface WriteTarget {
  /** What the user lets the application do with the calendar account. */
  access: Access;
  /** The provider's name of the calendar. */
  calendar: string;
  externalId: string | null;
  version: string | null;
  parts: EventParts;
  /** The name that it is created under. Null: the write was queued while the provider was not configured. */
  name: string | null;
  /** The series that both sides last agreed on. Null: unknown. */
  base: RuleSeries | null;
  /** The fields that the application has changed since the provider last received the event. Null: everything, or unknown. */
  changedFields: string[] | null;
  /** A sync has since seen a remote change and left it to the push. */
  isRemoteChangeDeferred: boolean;
  /** Others created the event. */
  isForeign: boolean;
  /** It is written only over the version that was read. */
  isConditional: boolean;
  replies: StoredReplies | null;
}

export const writeTarget = statement<WriteTarget>(
  `SELECT p.access, c.external_id AS calendar, e.external_id AS "externalId", e.etag AS version, coalesce(e.parts, '{}') AS parts, w.name, e.base_recurrence AS base,
  w.changed_fields AS "changedFields", coalesce(w.remote_change_deferred, false) AS "isRemoteChangeDeferred",
  e.event_id IS NULL AS "isForeign", coalesce(w.conditional, false) AS "isConditional", w.replies
FROM events e JOIN calendars c ON c.id = e.calendar_id JOIN profiles p ON p.id = c.profile_id
LEFT JOIN provider_writes w ON w.calendar_id = e.calendar_id AND w.event_row = e.id
WHERE e.calendar_id = $1 AND e.id = $2 AND NOT c.deleted`,
  {
    access: textOf<Access>(),
    calendar: text,
    externalId: nullable(text),
    version: nullable(text),
    parts: json<EventParts>(),
    name: nullable(text),
    base: nullable(json<RuleSeries>()),
    changedFields: nullable(texts),
    isRemoteChangeDeferred: bool,
    isForeign: bool,
    isConditional: bool,
    replies: nullable(json<StoredReplies>()),
  },
);

export interface RetriedWrite {
  accountId: string;
  calendarId: string;
  /** Whether it had been rejected or given up. Otherwise it was waiting for its next attempt. */
  wasRefused: boolean;
}

export const retryStatement = statement<RetriedWrite>(
  `WITH before AS (SELECT id, ${isOver("w")} AS was_refused FROM provider_writes w WHERE id = $1::bigint AND reverted_at IS NULL FOR UPDATE)
UPDATE provider_writes w SET ${becomes.queued}, created_at = CASE WHEN was_refused THEN t.now ELSE created_at END
FROM before, (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now) t WHERE w.id = before.id
RETURNING w.account_id AS "accountId", w.calendar_id AS "calendarId", before.was_refused AS "wasRefused"`,
  { accountId: text, calendarId: text, wasRefused: bool },
);

export const lockCalendarOfWrite = command(
  prepared(
    "lock calendar of write",
    "SELECT FROM calendars WHERE id = (SELECT calendar_id FROM provider_writes WHERE id = $1) FOR NO KEY UPDATE",
  ),
);

export interface LeasedWrite {
  eventRow: string;
  eventId: string | null;
  profileId: string;
  calendarId: string;
  revision: number;
  attempts: number;
  provider: Provider;
}

export const leasedWrite = statement<LeasedWrite>(
  `SELECT w.event_row AS "eventRow", e.event_id AS "eventId", w.profile_id AS "profileId", w.calendar_id AS "calendarId", w.revision, w.attempts, p.provider
FROM provider_writes w JOIN profiles p ON p.id = w.profile_id JOIN events e ON e.calendar_id = w.calendar_id AND e.id = w.event_row
WHERE w.id = $1 AND w.lease = $2 FOR UPDATE OF w`,
  {
    eventRow: text,
    eventId: nullable(text),
    profileId: text,
    calendarId: text,
    revision: int4,
    attempts: int4,
    provider: oneOf<Provider>(),
  },
);

/** The next read looks for the event, whatever changes the provider reports. A thousand are more than one read meets. */
export const noteUnseen = command(`UPDATE calendars SET unseen_writes = unseen_writes || $2::text
WHERE id = $1 AND NOT $2 = ANY (unseen_writes) AND cardinality(unseen_writes) < 1000`);

/**
 * The next sync reads the calendar from the beginning: what changed in an event is not listed again. An incremental read
 * in progress doesn't prolong a token that is over.
 */
export const readAllAgain = command(
  "UPDATE calendars SET sync_token_valid_until = 'epoch', stale_at = clock_timestamp() WHERE id = $1",
);

export const endWrite = command(prepared("end write", "DELETE FROM provider_writes WHERE id = $1"));

export const writeAgain =
  command(`UPDATE provider_writes SET ${becomes.released}, attempts = 0, due_at = coalesce($2::timestamptz, clock_timestamp()),
  changed_fields = $3, remote_change_deferred = false, replies = CASE WHEN replies = $4::jsonb THEN NULL ELSE replies END WHERE id = $1`);

export const notePushOfDeleted = command(
  "UPDATE events SET external_id = coalesce(external_id, $3), pushed_at = clock_timestamp(), push_attempts = $4 WHERE calendar_id = $1 AND id = $2",
);

/** After one of the requests of a write, while its claim holds. */
export const notePartStatement = command(`UPDATE events e SET external_id = $4, pushed_at = clock_timestamp(),
  etag = CASE WHEN $5::text IS NULL THEN $6 ELSE etag END,
  parts = CASE WHEN $5::text IS NULL THEN parts WHEN $6::text IS NULL THEN parts - $5::text
    ELSE coalesce(parts, '{}') || jsonb_build_object($5::text, $6::text) END
FROM provider_writes w WHERE w.id = $2 AND w.lease = $3 AND e.calendar_id = $1 AND e.id = w.event_row`);

/** The provider decides the organizer. Null: unchanged. */
export const notePush = command(`UPDATE events SET external_id = $3, etag = $4, base_recurrence = $5, parts = $6,
  organizer = coalesce($7::jsonb, organizer), pushed_at = clock_timestamp(), push_attempts = $8 WHERE calendar_id = $1 AND id = $2`);

export const awaitLinkStatement = command(`UPDATE events SET link_looks = 0,
  link_due_at = coalesce($4::timestamptz, clock_timestamp()) + make_interval(secs => $3::float8 / 1000) WHERE calendar_id = $1 AND id = $2`);

export const doublesOf = statement<{ id: string }>(
  "SELECT id FROM events WHERE calendar_id = $1 AND external_id = $2 AND id <> $3 AND deleted_at IS NULL",
  { id: text },
);

export const suspendStatement = command(
  `UPDATE provider_writes SET ${becomes.suspended} WHERE calendar_id IN (SELECT id FROM calendars WHERE profile_id = $1) AND NOT suspended`,
);

export const resumeProfile = command(`WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
held AS (SELECT id, created_at FROM provider_writes WHERE profile_id = $2 AND suspended)
${resumeStatement("held")}`);

export const lockCalendarsOfProfile = command(
  "SELECT FROM calendars WHERE profile_id = $1 ORDER BY id FOR NO KEY UPDATE",
);
